"""Scoring files: read in lockstep, scored chunk by chunk, never held whole.

In go paths, out comes a result per system. Nothing is returned before every input has ended with the same
number of lines. With `jobs` the chunks are scored in other processes; since their counts are whole numbers
and arrive in order, the result is the same to the last bit.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic

from apt.base import Metric, R
from apt.corpus import ParallelReader
from apt.documents import DocumentStarts
from apt.errors import AptError, InputError
from apt.evidence import Collector
from apt.inputs import LinksDigest
from apt.segments import C, Chunk, ChunkResult, Keep, SegmentScorer, Side, UsedLinks
from apt.triples import Triple

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# Called with the number of a system, its triples of one chunk and the documents of the chunk's segments.
TripleSink = Callable[[int, Sequence[Triple], Chunk], None]
LinksSink = Callable[[UsedLinks], None]


_ALIGNED_LINES = 1024  # of a chunk that has to be aligned, which takes its time
_SECONDS_TO_END = 5.0
_SECONDS_BETWEEN_LOOKS = 1.0  # of a process that waits, for whether anybody is left to send it work


@dataclass(frozen=True)
class Linked:
    """A text and the links from the source to it; without them they are made by an aligner."""

    text: str
    links: str | None = None


@dataclass(frozen=True)
class Files:
    """The paths of one run; `-` is standard input, `.gz` is unpacked."""

    source: str
    references: Sequence[Linked]
    candidates: Sequence[Linked]
    docids: str | None = None
    doc_starts: DocumentStarts | None = None

    def texts(self) -> list[str]:
        return [self.source, *(r.text for r in self.references), *(c.text for c in self.candidates)]

    def sides(self) -> list[Linked]:
        return [*self.references, *self.candidates]

    def links(self) -> list[str]:
        """The link files there are: one for every side, or none."""
        given = [side.links for side in self.sides() if side.links is not None]
        if given and len(given) != len(self.sides()):
            raise InputError("word links must be given for all references and candidates, or for none")
        return given


@dataclass
class EmptyLines:
    """How many lines of a text are empty, and the first of them (one-based)."""

    path: str
    count: int = 0
    first: int = 0

    def look(self, lines: Sequence[str], start: int) -> None:
        if "" not in lines and not any(map(str.isspace, lines)):
            return
        for number, line in enumerate(lines, start=start + 1):
            if not line or line.isspace():
                self.count += 1
                self.first = self.first or number


@dataclass(frozen=True)
class FilesResult(Generic[R]):
    """A result per system, in the order of the candidates, and the texts that have empty lines."""

    systems: Sequence[R]
    empty_lines: Sequence[EmptyLines] = field(default_factory=tuple)


def score_files(
    metric: Metric[C, R],
    files: Files,
    *,
    jobs: int = 1,
    keep: Keep = Keep(),
    sink: TripleSink | None = None,
    links_sink: LinksSink | None = None,
    progress: Callable[[int], None] = lambda segments: None,
) -> FilesResult[R]:
    """Score the candidates.

    `sink` receives every triple, `links_sink` the words and links used, in the order of the text, as chunks
    are done; `progress` the number of segments done so far.
    """
    metric.check_references(len(files.references))
    wanted = replace(keep, triples=keep.triples or sink is not None, links=links_sink is not None)
    scorer = metric.scorer(with_aligner=not files.links())
    collector = Collector(len(files.candidates), keep, scorer.new_tally)
    digest = LinksDigest(len(files.links()))
    empty = [EmptyLines(path) for path in files.texts()]
    texts, links = files.texts(), files.links()
    paths = [*texts, *links, *([files.docids] if files.docids is not None else [])]
    blank_end = range(len(texts), len(texts) + len(links))
    with ParallelReader(paths, blank_end, None if links else _ALIGNED_LINES) as reader:
        chunks = _watched(reader, files, digest, empty)
        try:
            for chunk, result in _score_all(scorer, chunks, wanted, jobs):
                collector.add(chunk, result)
                progress(collector.segments)
                if links_sink is not None and result.used is not None:
                    links_sink(result.used)
                if sink is not None:
                    for number, system in enumerate(result.systems):
                        sink(number, system.triples, chunk)
        except InputError:
            # Links that point nowhere are often the effect of a missing line: that is then the news.
            reader.check_counts()
            raise
    if files.doc_starts is not None:
        files.doc_starts.check_length(collector.segments)
    references = range(len(files.references))
    systems = []
    for number, side in enumerate(files.candidates):
        numbers = [*references, len(references) + number]
        align = scorer.linking_name if side.links is None else f"given@{digest.hex(numbers)}"
        names = [linked.links for linked in (*files.references, side) if linked.links is not None]
        systems.append(metric.result(collector, number, len(references), align, names))
    return FilesResult(systems, [e for e in empty if e.count])


def _watched(
    reader: ParallelReader, files: Files, digest: LinksDigest, empty: Sequence[EmptyLines]
) -> Iterator[Chunk]:
    """Chunks made of the lines read; on the way empty lines are counted and links digested."""
    start = 0
    for lines in reader:
        chunk = _chunk(start, lines, files)
        for watch, column in zip(empty, lines, strict=False):  # the texts come first
            watch.look(column, start)
        for number, side in enumerate((*chunk.references, *chunk.candidates)):
            if side.links is not None:
                digest.add(number, side.links)
        yield chunk
        start += len(chunk.sources)


def _chunk(start: int, lines: Sequence[Sequence[str]], files: Files) -> Chunk:
    columns = iter(lines)
    sources = next(columns)
    texts = [next(columns) for _ in files.sides()]
    sides = [
        Side(text) if side.links is None else Side(text, next(columns), side.links)
        for side, text in zip(files.sides(), texts, strict=True)
    ]
    nrefs = len(files.references)
    documents = next(columns, None)
    if files.doc_starts is not None:
        documents = files.doc_starts.documents(start, len(sources))
    return Chunk(start, sources, sides[:nrefs], sides[nrefs:], documents)


def _score_all(
    scorer: SegmentScorer[C], chunks: Iterable[Chunk], keep: Keep, jobs: int
) -> Iterator[tuple[Chunk, ChunkResult[C]]]:
    if jobs == 1:
        for chunk in chunks:
            yield chunk, scorer.score(chunk, keep)
        return
    with ExitStack() as stack:
        workers: list[_Worker[C]] = []
        waiting: deque[tuple[_Worker[C], Chunk]] = deque()
        for number, chunk in enumerate(chunks):
            if len(waiting) == jobs:
                yield _receive(waiting.popleft())
            if len(workers) < jobs:
                workers.append(stack.enter_context(_Worker(scorer, keep)))
            worker = workers[number % jobs]
            worker.send(chunk)
            waiting.append((worker, chunk))
        while waiting:
            yield _receive(waiting.popleft())


def _receive(pending: "tuple[_Worker[C], Chunk]") -> tuple[Chunk, ChunkResult[C]]:
    worker, chunk = pending
    return chunk, worker.receive()


class _Worker(Generic[C]):
    """A process that scores one chunk at a time."""

    def __init__(self, scorer: SegmentScorer[C], keep: Keep) -> None:
        import multiprocessing  # only where more than one process is asked for

        self._connection, theirs = multiprocessing.Pipe()
        self._process = multiprocessing.Process(target=_work, args=(theirs, scorer, keep), daemon=True)

    def __enter__(self) -> "_Worker[C]":
        try:
            self._process.start()
        except OSError as error:
            raise AptError(f"cannot start another process ({error.strerror}): use fewer --jobs") from None
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        self._process.join(_SECONDS_TO_END)
        self._process.kill()  # a process just being made can miss the first signal
        self._process.join()
        self._connection.close()

    def send(self, chunk: Chunk) -> None:
        with self._alive():
            self._connection.send(chunk)

    def receive(self) -> ChunkResult[C]:
        with self._alive():
            answer = self._connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        result: ChunkResult[C] = answer
        return result

    @contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            raise AptError("a scoring process ended unexpectedly (out of memory?)") from None


def _work(connection: "Connection", scorer: SegmentScorer[C], keep: Keep) -> None:
    """Score what comes until the process that sends it ends."""
    import multiprocessing
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's business
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sender = multiprocessing.parent_process()
    while True:
        while not connection.poll(_SECONDS_BETWEEN_LOOKS):
            if sender is None or not sender.is_alive():
                return
        chunk = connection.recv()
        try:
            connection.send(scorer.score(chunk, keep))
        except AptError as error:
            connection.send(error)
