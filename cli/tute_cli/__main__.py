"""`python -m tute_cli` is the command `tute`."""

from tute_cli.main import main

main()
