"""`apt-meta lists`: lists of equivalent pronouns learned from human judgments."""

from pathlib import Path
from typing import Any

import click

from apt.cli.reporting import bad_option, report_options, show


@click.command(short_help="Learn a list of equivalent pronouns from human judgments.")
@click.argument("judgments")
@click.option("--lang", "-l", required=True, help="Language of the references and candidates, such as fr.")
@click.option("--output", "-o", "written", metavar="FILE", help="Write the list (TOML), as --lists takes it.")
@click.option(
    "--min-share",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Pairs rarer than this share of the sample are dropped.",
)
@click.option(
    "--min-p",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Kept are pairs that are correct more often than this.",
)
@click.option("--symmetric", is_flag=True, help="Take both directions of a pair together.")
@bad_option
@click.option(
    "--lists",
    multiple=True,
    metavar="FILE",
    help="A list file of your own, or the name of a shipped set, whose identical groups are used.",
)
@report_options
def command(judgments: str, **options: Any) -> None:
    """Learn which different pronouns are equivalent, from human judgments of triples.

    JUDGMENTS is a table as for apt-meta agree: a file of apt-score --details with a column judgment.
    """
    from apt.meta.judgments import read_judgments
    from apt.meta.list_learning import learn_equivalents, list_file
    from apt.output_files import write_file
    from apt.pronouns import load_language
    from apt.render.meta_lists import lists_report

    learned = learn_equivalents(
        read_judgments(judgments),
        load_language(options["lang"], options["lists"]),
        min_share=options["min_share"],
        min_p=options["min_p"],
        symmetric=options["symmetric"],
        bad=options["bad"],
    )
    written = options["written"]
    if written is not None:
        content = list_file(learned, Path(learned.path).name)
        write_file(written, content.encode(), [judgments, *options["lists"]])
    show(lists_report(learned, written, bool(options["lists"]), options["width"]), options)
