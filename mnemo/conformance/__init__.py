"""The specification as a test suite for any implementation; it knows the other side by the wire and the file."""
