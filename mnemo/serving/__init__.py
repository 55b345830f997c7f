"""What the server is made of: its pipes, the lines on them, prompts and resources."""
