"""Run the command line: `python -m mnemo`."""

from mnemo.cli import main

if __name__ == "__main__":
    main()
