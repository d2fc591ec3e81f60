"""`apt-contrast generate -o DIR`: contrastive sentences out of templates."""

from typing import TYPE_CHECKING, Any

import click

from apt.cli.common import warn
from apt.errors import OptionError

if TYPE_CHECKING:
    from apt.contrast.template_model import TemplateSet

DEFAULT_PAIR = "en-de"


@click.command(
    name="generate",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-contrast generate -o contracat --only position --only gender --nouns nouns.tsv",
)
@click.option("--output", "-o", metavar="DIR", help="Where to write: a folder a template.")
@click.option("--lang-pair", metavar="PAIR", help=f"Shipped templates, en-de or en-fr. [{DEFAULT_PAIR}]")
@click.option("--templates", metavar="FILE", help="Templates of your own (TOML).")
@click.option("--only", multiple=True, metavar="NAME", help="Only this template. [all; can be repeated]")
@click.option("--full", is_flag=True, help="All entries where the paper takes every second one, and 'ihr'.")
@click.option("--nouns", metavar="FILE", help="Nouns of the gender template: English, German, gender (TSV).")
@click.option("--list", "listed", is_flag=True, help="Show the templates and their sizes; write nothing.")
@click.option("--quiet", "-q", is_flag=True, help="No remarks on standard error.")
def command(**options: Any) -> None:
    """Write the templates of ContraCAT: sentences with a translation a gender, to be scored by a model.

    Every template gets a folder with en.txt and de.txt (or fr.txt), line by line 'context <SEP> sentence',
    a line a gender (m, f, n), and genders.txt with the correct one of each instance (- if there is none).
    DIR can be given to prepare and evaluate as a SET, and so can each of its folders.
    """
    from apt.contrast.contracat import folder_of
    from apt.contrast.generating import generate
    from apt.render.folders import complaining, output_folder

    if options["output"] is None and not options["listed"]:
        raise OptionError("-o is missing: where to write (or --list)")
    generated = generate(_templates(options), only=options["only"], full=options["full"])
    if options["listed"]:
        for each in generated:
            template = each.template
            click.echo(f"{template.name}\t{template.step}\t{len(each.instances)}")
        return
    for each in generated:
        folder = f"{options['output']}/{each.template.name}"
        with output_folder(folder) as place, complaining(folder):
            for name, lines in folder_of(each).items():
                text = "".join(f"{line}\n" for line in lines)
                (place / name).write_text(text, encoding="utf-8", newline="\n")
    if not options["quiet"]:
        count = sum(len(each.instances) for each in generated)
        warn("apt-contrast", f"{options['output']}: {count:,} instances of {len(generated)} templates")


def _templates(options: Any) -> "TemplateSet":
    from apt.contrast.template_files import read_nouns, read_templates, shipped_templates, with_nouns

    if options["templates"] is not None and options["lang_pair"] is not None:
        raise OptionError("--templates and --lang-pair exclude each other")
    if options["templates"] is not None:
        templates = read_templates(options["templates"])
    else:
        templates = shipped_templates(options["lang_pair"] or DEFAULT_PAIR)
    if options["nouns"] is not None:
        templates = with_nouns(templates, read_nouns(options["nouns"], templates))
    return templates
