"""`tute deal`: random deals."""

from __future__ import annotations

from typing import Any, Literal

import click

from tute_cli.options import json_option, rule_option


def _stock(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> int | Literal["all"] | None:
    """A number of cards, or all."""
    if value is None:
        return None
    if value == "all":
        return "all"
    try:
        return int(value)
    except ValueError:
        from tute.language import say

        raise click.BadParameter(say("a number of cards, or all"), ctx, param) from None


@click.command(short_help="Random deals.")
@click.argument("variant", metavar="VARIANT")
@click.option("--seed", type=int, help="The same seed gives the same deals; default: any.")
@click.option("-n", "count", type=click.IntRange(min=1), default=1, help="How many deals.")
@click.option("--players", type=int, help="How many players, where the variant leaves a choice.")
@click.option("--cards", type=int, help="Keep so many cards in each hand.")
@click.option("--trump", help="A suit, or none in butifarra; default as the cards fall.")
@click.option("--declarer", type=int, help="The seat that declares; default 1.")
@click.option("--contract", help="Cuatrola: solo, cuatrola or quintola.")
@click.option(
    "--stock",
    callback=_stock,
    metavar="N|all",
    help="Cards left to draw; default all in habanero, 0 (the arrastre) in guinote.",
)
@rule_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["toml", "jsonl"]),
    help="Default: TOML for one deal, JSON Lines for several.",
)
@json_option
def command(
    variant: str,
    seed: int | None,
    count: int,
    switches: dict[str, str],
    form: str | None,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Deal random hands of VARIANT."""
    from random import Random, SystemRandom

    from tute.dealing import random_deal
    from tute.files import to_json, to_toml
    from tute.language import say

    if form is None:
        form = "jsonl" if as_json or count > 1 else "toml"
    if form == "toml" and (count > 1 or as_json):
        raise click.UsageError(say("a TOML file holds one deal: use --format jsonl"))
    if seed is None:
        seed = SystemRandom().getrandbits(32)
    rng = Random(seed)
    for number in range(1, count + 1):
        deal = random_deal(
            variant,
            rng,
            rules=switches,
            id=f"{seed}-{number}",
            source=f"tute deal {variant}, seed {seed}",
            **wanted,
        )
        click.echo(to_toml(deal).rstrip("\n") if form == "toml" else to_json(deal))
