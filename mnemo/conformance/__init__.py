"""The specification as a test suite for any implementation, which it knows by the wire and the file alone."""

SPECIFICATION_VERSION = "1.0.0"  # by semver; CHANGELOG.md says which scenarios came with it
