"""Speed, memory and size of the server, measured beside other ways to do the same: `python -m tests.benchmarks`."""
