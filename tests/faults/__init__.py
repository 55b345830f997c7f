"""What goes wrong in the life of a memory, provoked: `nox -s faults` does it often, the tests a few times."""
