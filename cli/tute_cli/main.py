"""The entry of the command `tute`: which commands there are, and how an error is shown.

A command lives in the module of its name and is imported when it is asked for; so that `tute
--help` is quick, nothing here or at the top of those modules imports more than click.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from tute_cli.language import Say, speaking, translated, wanted

_COMMANDS = ("solve", "table", "contract", "safe", "review", "explain", "check", "deal", "rules")
_WRONG = 2
_INTERRUPTED = 130
_LONGEST = 500


class _Tute(click.Group):
    """The group of commands; an error of any of them is one line on standard error.

    Attributes:
        say: translates the help of a command.
    """

    say: Say = str

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"tute_cli.{cmd_name}").command
        return translated(command, self.say)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command, which returns its exit status (None is 0), and exit with that."""
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show an accent is no reason to stop.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        arguments = sys.argv[1:] if args is None else list(args)
        with speaking(wanted(arguments, os.environ)) as say:
            group = translated(self, say)
            group.say = say
            status = group._status(arguments, prog_name, complete_var, **extra)
        if not standalone_mode:
            return status
        sys.exit(status)

    def _status(
        self, arguments: list[str], prog_name: str | None, complete_var: str | None, **extra: Any
    ) -> int:
        """Run a command; whatever goes wrong is said on one line."""
        try:
            status: int = super().main(arguments, prog_name, complete_var, False, **extra) or 0
        except click.Abort:
            status = _INTERRUPTED
        except click.ClickException as error:
            status = _refuse(error.format_message())
        except ValueError as error:
            from tute.errors import TuteError

            if not isinstance(error, TuteError):
                raise
            status = _refuse(str(error))
        except MemoryError:
            from tute.language import say

            status = _refuse(say("there is not enough memory: ask for less with --memory"))
        except OSError as error:
            from tute.language import why

            # Files of deals report their own errors, so this is standard output: a full disk.
            _drop_output()
            status = _refuse(why(error))
        return status


def _refuse(message: str) -> int:
    """Say what is wrong on one line, however the input looked; the exit status for that."""
    line = " ".join("".join(c if c.isprintable() else " " for c in message).split())
    if len(line) > _LONGEST:
        line = line[:_LONGEST] + "..."
    click.echo(f"tute: error: {line}", err=True)
    return _WRONG


def _drop_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("tute")
    except PackageNotFoundError:
        from tute.language import say

        number = say("(not installed)")
    click.echo(f"tute {number}")
    ctx.exit()


@click.group(
    cls=_Tute,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Double-dummy analysis of tute and its relatives: what best play achieves, exactly."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


if __name__ == "__main__":
    main()
