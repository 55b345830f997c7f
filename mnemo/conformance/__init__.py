"""The specification as a test suite for any implementation, which it knows by the wire and the file alone."""
