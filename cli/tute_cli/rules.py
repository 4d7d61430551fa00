"""`tute rules`: the variants, and the switches of the rules."""

from __future__ import annotations

import click

from tute_cli.options import json_option


@click.command(short_help="The variants, and the switches of the rules.")
@click.argument("variant", required=False, metavar="[VARIANT]")
@json_option
def command(variant: str | None, as_json: bool) -> None:
    """List the variants and the switches, or describe one VARIANT."""
    from tute.variants import VARIANTS
    from tute.variants import variant as named
    from tute_cli.show import show, show_json

    chosen = None if variant is None else named(variant)
    if as_json:
        from tute.report import json

        show_json(json.variants(VARIANTS.values()) if chosen is None else json.variant(chosen))
    else:
        from tute.report import rules

        show(rules.variants(VARIANTS.values()) if chosen is None else rules.variant(chosen))
