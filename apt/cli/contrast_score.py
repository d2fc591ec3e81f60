"""`apt-contrast score DIR --model NAME -o SCORES`: scores of a translation model for a prepared set."""

from typing import Any

import click

from apt.cli.common import progress_share, warn

_CHOICES = {"device": ("auto", "cpu", "cuda", "mps"), "normalisation": ("none", "tokens")}


@click.command(
    name="score",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: apt-contrast score prepared --model Helsinki-NLP/opus-mt-en-de -o opus.scores",
)
@click.argument("folder", metavar="DIR")
@click.option("--model", "-m", required=True, metavar="NAME", help="On the Hugging Face Hub, or a folder.")
@click.option("--output", "-o", required=True, metavar="SCORES", help="Where to write the scores.")
@click.option("--batch-size", type=click.IntRange(1), default=16, show_default=True, help="Lines at a time.")
@click.option(
    "--device", type=click.Choice(_CHOICES["device"]), default="auto", show_default=True, help="Where to run."
)
@click.option(
    "--length-normalisation",
    type=click.Choice(_CHOICES["normalisation"]),
    default="none",
    show_default=True,
    help="Sum over the tokens, or mean.",
)
@click.option(
    "--score",
    type=click.Choice(["all", "last"]),
    default="all",
    show_default=True,
    help="The whole target line, or what is behind its last separator.",
)
@click.option("--src-lang", metavar="CODE", help="For models of many languages, in the model's own codes.")
@click.option("--tgt-lang", metavar="CODE", help="The same, of the translations.")
@click.option("--quiet", "-q", is_flag=True, help="No remarks and no progress on standard error.")
def command(folder: str, **options: Any) -> None:
    """Score every line of DIR, which apt-contrast prepare wrote, with a sequence-to-sequence model.

    A score is the negative log-probability of the target line given the source line, lower being better:
    what apt-contrast evaluate expects. Until all are there they are in SCORES.part, and the same command
    goes on after an interruption. A named model that was not fetched before is fetched.
    """
    from apt.contrast.model_files import PartFile, check_output, part_path, read_prepared
    from apt.contrast.model_loading import load_translator
    from apt.contrast.model_scores import ModelScorer, token_pairs, tokens_digest

    quiet, output = options["quiet"], options["output"]
    last = options["score"] == "last"
    prepared = read_prepared(folder, last=last)
    check_output(output, prepared.inputs)
    languages = {name: options[name] for name in ("src_lang", "tgt_lang")}
    translator = load_translator(
        options["model"],
        device=options["device"],
        **languages,
        notify=None if quiet else lambda message: warn("apt-contrast", message),
    )
    how = {name: options[name] for name in ("batch_size", "length_normalisation")}
    scorer = ModelScorer(translator, **how)
    separator = prepared.separator if last else None
    pairs = token_pairs(
        translator, prepared.sources, prepared.targets, separator=separator, paths=prepared.paths
    )
    header = {
        "manifest": prepared.manifest,
        "model": translator.version,
        **how,
        "score": options["score"],
        **languages,
        "device": translator.device,
        "libraries": translator.libraries,
        "tokens": tokens_digest(pairs),
    }
    part = PartFile(output, header, len(pairs), scorer.block, prepared.inputs)
    if part.done and not quiet:
        warn("apt-contrast", f"{part_path(output)}: {part.done:,} of {len(pairs):,} scores are there already")
    show = progress_share(quiet)
    if part.done < len(pairs):
        show("scoring", part.done / len(pairs))
        for scores in scorer.scores(pairs, start=part.done, path=prepared.paths[1]):
            part.add(scores)
            show("scoring", part.done / len(pairs))
    part.finish()
    if not quiet:
        warn("apt-contrast", f"{output}: {len(pairs):,} scores of {translator.version} ({translator.device})")
