"""What makes parts of the project from others."""
