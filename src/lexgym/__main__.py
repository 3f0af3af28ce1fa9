"""`python -m lexgym` is `lexgym`."""

from lexgym.cli import main

if __name__ == "__main__":
    main()
