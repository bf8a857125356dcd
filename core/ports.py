"""The protocols through which core meets the world: one to three methods each.

Every port has a small real stand-in under `adapters/`; the same contract suite runs over all
implementations of a port. A `Readable` or `Scope` argument is never None: access is decided by
`core.access` before a port is called. Implementations turn their vendor's errors into `core.errors`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.activity import Outline
from core.answers import Answer, Check, Grade, Plan, Refined, Retrieved, Strip, Verdict
from core.catalog.tested import SelfTest
from core.channels import Setting, Told
from core.chat import Chunk, Request, S, Structured
from core.documents import (
    Card,
    Digest,
    DocumentRecord,
    Generation,
    Listing,
    Parsed,
    Passage,
    Piece,
    Problem,
    Readable,
    Scope,
    SourceEntry,
)
from core.errors import RefdeskError
from core.etiquette import Attendance
from core.feedback import Correction, Feedback, Tally
from core.jobs import Asked, Asker, Grip, Job
from core.messages import (
    Accepted,
    Audience,
    Exchange,
    Forgotten,
    Language,
    ReplyTarget,
    SessionKey,
    ThreadMessage,
    Turn,
)

Vectors = NDArray[np.float32]


class Clock(Protocol):
    """What time it is; `--now` replaces it for a run."""

    def now(self) -> datetime:
        """The current time, aware, UTC."""
        ...


# --- ingest -----------------------------------------------------------------------------------------


class DocumentSource(Protocol):
    """Where a collection's documents come from."""

    async def list(self) -> Listing:
        """All documents there are now; raises SourceError when nothing can be listed."""
        ...

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The document's bytes; raises ParseError (`parse.unreadable`, `parse.too_large`)."""
        ...


class Parser(Protocol):
    """Bytes of one format to Markdown text."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document as text; raises ParseError with the reason. Pure, blocking: run in a thread or process."""
        ...


class Splitter(Protocol):
    """Text to passages-to-be, along headings."""

    def split(self, document: Parsed) -> Sequence[Piece]:
        """Pieces in reading order; their texts cover everything but blank lines and the headings in their paths."""
        ...


class Embedder(Protocol):
    """Text to unit vectors. `name` stands for model, composition and dimension: where any is another, so is the name.

    It is stored with the index, and tells which vectors can be compared.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """One row of length 1 for each text, shape (len(texts), dimension); truncates to its own token limit."""
        ...


class Analyzer(Protocol):
    """Text to the tokens of the lexical list; `name` is stored with the index."""

    @property
    def name(self) -> str: ...

    def tokens(self, text: str) -> list[str]:
        """Tokens in order, duplicates kept; the same for questions and passages."""
        ...


# --- index ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result: a passage in the document version that the scope pins."""

    passage_id: str
    collection: str
    document_id: str
    document_hash: str
    language: str
    score: float


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and deviation of a query's scores over `count` passages of one language."""

    mean: float
    deviation: float
    count: int


@dataclass(frozen=True, slots=True)
class Hits:
    """The best hits of one list, and what is needed to standardise their scores per document language.

    `weights` gives the idf of each question token (lexical list only).
    """

    hits: tuple[Hit, ...]
    moments: Mapping[str, Moments] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A passage with its vector, as a VectorIndex stores it. `vector` None: only the metadata changed."""

    passage: Passage
    vector: Vectors | None


class VectorIndex(Protocol):
    """Passages by meaning. Old and new versions of a document stand side by side until `remove`."""

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """Add or replace by (passage id, document hash); idempotent."""
        ...

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """Forget these (document id, document hash) versions, and passages that no version holds any more."""
        ...

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        """For each query vector the `limit` best passages that are published in the scope.

        The scope has one embedding (`Scope.by_embedding`), that of the vectors; raises StoreError otherwise.
        """
        ...


class LexicalIndex(Protocol):
    """Passages by words; the same rules as VectorIndex."""

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None: ...

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None: ...

    async def search(self, scope: Scope, query: str, limit: int) -> Hits:
        """The `limit` best passages by BM25 over the analyzer's tokens; `exact` phrases are quoted in `query`."""
        ...


class PassageStore(Protocol):
    """Passages by id, and the lookups that need exact text."""

    async def get(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Passage]:
        """The published ones among `ids`, in the version pinned by the scope."""
        ...

    async def known(self, collection: str, ids: Sequence[str], embedding: str = "") -> frozenset[str]:
        """Which of these passages already have a vector of this embedding (``""``: of any): they need no embedding."""
        ...

    async def exact(self, scope: Scope, terms: Sequence[str], limit: int) -> Sequence[str]:
        """Ids of passages whose text, title or file name holds one of the terms verbatim (case folded)."""
        ...


class PassageArchive(Protocol):
    """What the index holds as a whole: for cleaning up and for making Cards."""

    async def versions(self, collection: str) -> Sequence[tuple[str, str]]:
        """Every (document id, document hash) it holds, published or not."""
        ...

    def read(self, scope: Scope) -> AsyncIterator[Sequence[Passage]]:
        """All passages of the scope in batches of whole documents, each document's in reading order."""
        ...


class RunPassages(Protocol):
    """The shelf of one run: every passage it looked at, written once, dropped when the turn ends."""

    async def put(self, run: str, retrieved: Sequence[Retrieved]) -> None:
        """Keep these for the run named ``turn/revision``; a passage that is there already stays."""
        ...

    async def get(self, run: str, ids: Sequence[str]) -> Sequence[Retrieved]:
        """Those of the ids that the run holds, in the order asked for."""
        ...

    async def drop(self, run: str) -> None:
        """Forget the run."""
        ...


class ChatModel(Protocol):
    """A model that speaks: one for judging (small), one for writing (large)."""

    @property
    def name(self) -> str:
        """As it is called at its service, for the trace."""
        ...

    async def structured(self, request: Request, schema: type[S]) -> Structured[S]:
        """A value of `schema`; raises UpstreamError, UpstreamTimeout, UpstreamRefused (also for no usable value)."""
        ...

    def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """The answer in pieces; raises as `structured`, also in the middle. An empty answer raises UpstreamRefused."""
        ...


class WebSearch(Protocol):
    """The web, bounded by the allow-list."""

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        """Pages as passages with `origin="web"`; raises UpstreamError."""
        ...


# --- stores -----------------------------------------------------------------------------------------


class TurnQueue(Protocol):
    """Accepting and claiming turns; the database is the only coordinator between processes."""

    async def accept(self, turn: Turn) -> Accepted:
        """Store the turn, unless its identity is known already: then that one, as a duplicate.

        So is one whose message was taken back before it came: it is stored as withdrawn, without words.
        A turn that waits with an owner and a lease is that owner's until the lease has run out.
        """
        ...

    async def claim(self, owner: str, lease: timedelta, platforms: frozenset[str] | None = None) -> Turn | None:
        """Take the oldest turn that waits, or whose lease has run out, first in its session; one UPDATE.

        Only of these platforms (None: of any): who can't reply there must leave it to those who can.
        """
        ...

    async def renew(self, turn: Turn, lease: timedelta) -> bool:
        """Prolong the lease; False when the turn is no longer ours (edited, withdrawn, taken over).

        A lease of nothing gives the turn back: the next claim may take it.
        """
        ...


class TurnRecord(Protocol):
    """The record of turns: progress, results, lookups."""

    async def retarget(self, turn: Turn, target: ReplyTarget) -> bool:
        """Store where the reply now stands; False when the turn is another's now, or gone: nothing is stored."""
        ...

    async def finish(self, turn: Turn) -> bool:
        """Store status, answer and citations of this revision; False when a newer revision exists."""
        ...

    async def find(self, *, turn_id: str | None = None, key: SessionKey | None = None) -> Turn | None:
        """One turn by id, or the latest finished turn of a session."""
        ...


class LatestTurns(Protocol):
    """Where we take part in conversations."""

    async def latest(self, platform: str, since: datetime, limit: int) -> list[tuple[SessionKey, str]]:
        """Conversations with a question since then, the latest first, each with its last question's identity."""
        ...

    async def asked(self, platform: str, since: datetime, limit: int) -> list[tuple[str, str, str]]:
        """The latest questions since then that still stand, the latest first: workspace, where it stood, identity."""
        ...


class Bookmarks(Protocol):
    """How far each workspace was heard, where a platform's messages are numbered as they come."""

    async def read(self, platform: str) -> Mapping[str, int]:
        """The last message of each workspace up to which all were heard."""
        ...

    async def move(self, platform: str, messages: Mapping[str, int]) -> None:
        """Forward to these; one that another process has moved further stays there."""
        ...


class TurnLog(Protocol):
    """What came of the questions, for whoever runs this desk; nothing of their words."""

    async def since(self, moment: datetime) -> Sequence[Outline]:
        """One outline for each question asked at or after the moment, in the order of acceptance."""
        ...


class TurnEdits(Protocol):
    """What people do to a question after they asked it."""

    async def identified(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The turn of this message, whatever its status."""
        ...

    async def revise(self, turn_id: str, question: str, *, addressed: bool = False) -> Turn | None:
        """Ask anew, as the next revision; None when unknown, withdrawn, or worded as before.

        `addressed`: it names us now. A question that nobody had put to us is one from then on, worded anew or not.
        """
        ...

    async def withdraw(self, turn_id: str) -> Turn | None:
        """End it as withdrawn and drop its words; the target stays, so that the reply can be taken down.

        None when unknown or withdrawn already.
        """
        ...

    async def take_back(self, platform: str, workspace: str, identity: str) -> None:
        """This message is gone: should it still come, it is accepted as withdrawn. Remembered for a day."""
        ...


class TurnSweep(Protocol):
    """Turns with which something is still to be done."""

    async def unfinished(self, platform: str, workspace: str) -> Sequence[str]:
        """The ids of those of a workspace that are still to be answered, in the order of acceptance."""
        ...

    async def left_standing(self, platforms: frozenset[str] | None = None) -> Sequence[Turn]:
        """Among the latest that were withdrawn, those of which messages may still be there."""
        ...


class TurnStops(Protocol):
    """Ending a run from any process."""

    async def stop(self, turn_id: str) -> bool:
        """Ask whichever process is at it to end with what it has; False when nobody is."""
        ...

    async def asked_by(self, key: SessionKey, author: str, *, anywhere: bool = False) -> Sequence[str]:
        """The ids of the questions of this person that have no end yet, in the session or `anywhere` in its channel."""
        ...

    async def stopping(self, turn_id: str) -> bool:
        """Whether somebody asked for that."""
        ...


class FeedbackStore(Protocol):
    """What people think of answers."""

    async def put(self, feedback: Feedback) -> None:
        """Keep it, in place of what the same person said of the same turn before."""
        ...

    async def of(self, turn_id: str) -> Sequence[Feedback]:
        """What was said of a turn, oldest first."""
        ...

    async def tally(self, moment: datetime) -> Tally:
        """How the answers were received since then."""
        ...


class CorrectionStore(Protocol):
    """What people know better than an answer did; gone when the question is forgotten or it is taken back."""

    async def put(self, correction: Correction) -> None:
        """Keep it, in place of one with the same id."""
        ...

    async def all(self) -> Sequence[Correction]:
        """Every one, oldest first."""
        ...

    async def remove(self, id: str) -> bool:
        """Take one back; False when there is none."""
        ...


class Sessions(Protocol):
    """Conversations as wholes."""

    async def history(self, key: SessionKey, before: Turn, limit: int) -> Sequence[Exchange]:
        """The latest finished exchanges before this turn, oldest first, latest revision of each."""
        ...

    async def forget(self, key: SessionKey) -> int:
        """Delete the session with all its turns; how many there were."""
        ...


class Attendances(Protocol):
    """Who takes part in a thread, as far as etiquette asks."""

    async def attendance(self, key: SessionKey) -> Attendance:
        """What the record knows of the thread."""
        ...

    async def programs(self, key: SessionKey, since: datetime) -> int:
        """The latest questions in the session's channel since then that programs asked, without a person's between."""
        ...

    async def hush(self, key: SessionKey, quiet: bool) -> None:
        """Answer here only when named, or again as the channel's rules say."""
        ...


class Belongings(Protocol):
    """What the record holds of one person, by platform, workspace and their id there."""

    async def recent(self, platform: str, workspace: str, user: str, limit: int, channel: str = "") -> Sequence[Turn]:
        """Their latest turns, newest first; with a `channel` those in it.

        Not those that came to nothing, and of questions that nobody put to us none before its end.
        """
        ...

    async def forget(self, platform: str, workspace: str, user: str) -> Forgotten:
        """Delete their turns, in sessions of several people their words alone."""
        ...

    async def forget_in(self, key: SessionKey, user: str) -> Forgotten:
        """The same for one session."""
        ...


class TurnCalls(Protocol):
    """Whether somebody was called to a turn."""

    async def call(self, turn_id: str, called: bool = True) -> bool:
        """Note that somebody is called (or that it failed); False when it was noted before, or there is no turn."""
        ...


class TurnCopies(Protocol):
    """Answers shown in a second place: each a turn that is accepted before it is posted, so that it is posted once."""

    async def settle(self, turn: Turn) -> None:
        """It is there: from now on a turn of the session of its key, with its target and its answer."""
        ...

    async def drop(self, turn_id: str) -> None:
        """It is not there: as if nobody had asked for it."""
        ...


class Catalog(Protocol):
    """Collections, their documents, Cards and generations."""

    async def pin(self, readable: Readable) -> Scope:
        """The current generation of each readable collection that has been published."""
        ...

    async def cards(self, readable: Readable) -> Sequence[Card]:
        """The Cards of the readable collections."""
        ...

    async def documents(self, collection: str) -> Mapping[str, DocumentRecord]:
        """The documents of the current generation by id."""
        ...


class Digests(Protocol):
    """The term statistics of the published collections."""

    async def digests(self) -> Sequence[Digest]:
        """One for each published collection."""
        ...

    async def problems(self, collection: str) -> Sequence[Problem]:
        """The documents that the last sync could not read."""
        ...


@dataclass(frozen=True, slots=True)
class Publication:
    """What one sync makes visible, all of it or nothing. `cards` are those of every collection that changed.

    `self_test` is None when the router could not be tested, or needed no test.
    """

    generation: Generation
    documents: tuple[DocumentRecord, ...]
    digest: Digest
    cards: tuple[Card, ...]
    problems: tuple[Problem, ...] = ()
    self_test: SelfTest | None = None


class Publisher(Protocol):
    """Making a sync visible."""

    async def publish(self, publication: Publication) -> None:
        """Documents, Cards (of all collections, since they contrast) and generation number in one transaction."""
        ...

    async def lock(self, collection: str, owner: str, lease: timedelta) -> bool:
        """Take or prolong the right to sync the collection; False when another process holds it."""
        ...

    async def unlock(self, collection: str, owner: str) -> None: ...


class Forgetter(Protocol):
    """Deleting what syncs wrote of a collection that is configured no more."""

    async def names(self) -> Sequence[str]:
        """Every collection of which there is anything, by name."""
        ...

    async def forget(self, collection: str) -> int:
        """Delete all that is held of it, in one transaction; how many published documents that were."""
        ...


class RouterRecord(Protocol):
    """What the syncs did to the router."""

    async def tests(self, limit: int) -> Sequence[SelfTest]:
        """The latest self-tests, newest first; of each collection's syncs some fifty are kept."""
        ...

    async def before(self, readable: Readable) -> Mapping[str, Card]:
        """Each readable collection's Card before its own last sync, without vectors; none before the second."""
        ...


class WarningsTold(Protocol):
    """Which warnings somebody was told: once each, by however many processes."""

    async def claim(self, person: str, standing: Sequence[str]) -> frozenset[str]:
        """Of what stands now, that which they were not told yet; from now on they were. The rest is forgotten."""
        ...

    async def release(self, person: str, signs: Sequence[str]) -> None:
        """They could not be told these."""
        ...


class SettingsStore(Protocol):
    """What admins set from chat: only added to, so that what holds now is what was said last."""

    async def version(self) -> int:
        """Rises with each change; asked before every turn."""
        ...

    async def said(self) -> Told:
        """Everything that holds now."""
        ...

    async def put(self, setting: Setting) -> None:
        """Add one; it holds from now on, in every process."""
        ...


class SettingsHistory(Protocol):
    """Who set what, and when."""

    async def changes(self, channel: str, limit: int) -> Sequence[Setting]:
        """The latest of a channel (``""``: of all), newest first."""
        ...


class Access(Protocol):
    """Who may read what at this moment; asked anew whenever something is about to be read or shown."""

    async def readable(self, audience: Audience) -> Readable:
        """What every reader of the reply may read, by `core.access`."""
        ...

    async def defaults(self, audience: Audience) -> tuple[str, ...]:
        """What is searched in this channel unless the router is sure of something else; empty: everything."""
        ...

    async def nameable(self, audience: Audience) -> Readable:
        """What may be named to them in settings: also what they would read if it weren't hidden in the channel."""
        ...


# --- jobs -------------------------------------------------------------------------------------------


class JobQueue(Protocol):
    """Asking for jobs and claiming them; the database is the only coordinator between processes.

    A queue library carries the claim (its lock is the collection's name) and the lease; the record stays ours.
    """

    async def ask(self, job: Job) -> Asked | None:
        """Store the job, unless one waits for its collection: then that one, with the askers added.

        One that was interrupted waits too. A job for a slot of a schedule is stored once: else None.
        """
        ...

    async def claim(self, owner: str, lease: timedelta, collections: frozenset[str]) -> Job | None:
        """Take the oldest job that waits, or whose lease has run out, one at a time a collection; one UPDATE."""
        ...

    async def renew(self, job: Job, lease: timedelta) -> Grip:
        """Prolong the lease and store how far the job is; says whether to go on.

        A lease of nothing gives the job back, as if it had never been claimed.
        """
        ...


class JobRecord(Protocol):
    """The record of jobs: results and lookups."""

    async def finish(self, job: Job) -> bool:
        """Store status, report and failure; False when it is no longer ours."""
        ...

    async def find(self, id: str) -> Job | None: ...

    async def latest(self, collections: frozenset[str], limit: int, *, reports: bool = True) -> Sequence[Job]:
        """The latest jobs of these collections, newest first; without `reports` how they stand alone."""
        ...


class JobNews(Protocol):
    """Who has still to be told how a job ended: known until they were, whichever process asks, runs or tells."""

    async def claim(self, platforms: frozenset[str], limit: int) -> Sequence[Asker]:
        """Those on these platforms whose job ended a while ago; each is claimed once, and later again after a pause.

        The pauses grow (`core.jobs.pause`), and end after some tries.
        """
        ...

    async def told(self, target: ReplyTarget, jobs: Sequence[str]) -> None:
        """The message there says how these jobs ended."""
        ...


class JobEdits(Protocol):
    """What people do to jobs after they asked."""

    async def cancel(self, id: str) -> Job | None:
        """End it, or ask the process that runs it to stop; None when unknown or ended already."""
        ...

    async def prune(self, keep: int, each: int) -> int:
        """Forget ended jobs but the latest `keep`, and the latest `each` of every collection; how many went."""
        ...

    async def abandon(self, collections: frozenset[str]) -> int:
        """End as cancelled what nobody runs and nobody will: jobs of any but these collections; how many ended."""
        ...


class JobListener(Protocol):
    """Told how the jobs of this process go on, for a line in a terminal or a message that is edited."""

    async def told(self, job: Job) -> None:
        """The job has begun, is further (at most once a second), or has ended."""
        ...


# --- platform ---------------------------------------------------------------------------------------


class Reply(Protocol):
    """One reply on its platform; its owner is the only one who writes to it."""

    async def queued(self, status: str) -> None:
        """Show that work on it begins later, in a way that stays until then."""
        ...

    async def progress(self, status: str) -> None:
        """Show what is being done, one line."""
        ...

    async def show(self, text: str, final: bool) -> None:
        """Show the whole text so far; the adapter makes an append, an update or a replacement of it."""
        ...

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end: the answer with its footnotes, the failure, or nothing because it was withdrawn.

        Raises TurnTaken when somebody else is at the turn: nothing of this end stays. Raises UpstreamRefused when the
        platform takes no such message there, now or later.
        """
        ...

    async def whisper(self, error: RefdeskError) -> None:
        """Tell who asked, alone, that there is no answer where they asked, and why. Raises UpstreamError."""
        ...


class ReplyFactory(Protocol):
    """Opens a reply for a target, in any process."""

    async def open(self, turn: Turn) -> Reply:
        """The reply of the turn; the same for everybody in this process who is at this try of it."""
        ...

    def let_go(self, turn: Turn) -> None:
        """Nobody here is at this try of the turn any more: nothing of its reply goes on, and what is shown stays."""
        ...


class Posts(Protocol):
    """Messages of ours that are no turn's reply: shared answers, reports of jobs, notes to one person."""

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Post it and say where it stands: the target with its message ids, or a new one's.

        A target that already has a message is edited. An Answer gets its footnotes and the buttons of `turn_id`; text
        is Markdown of our own. Raises UpstreamError, AccessDenied when we may not post there.
        """
        ...

    async def stands(self, target: ReplyTarget) -> bool:
        """Whether the first of its messages is still there; in doubt it is."""
        ...


class Directs(Protocol):
    """The way to one person alone, on one platform."""

    async def open(self, workspace: str, user: str) -> tuple[ReplyTarget, Audience]:
        """Their direct messages with us, and they as the one reader; without a workspace, in the one we work in.

        Raises UpstreamError, AccessDenied when we may not write to them.
        """
        ...


class ThreadReader(Protocol):
    """What people said around a question."""

    async def around(self, turn: Turn, cursor: str | None) -> Sequence[ThreadMessage]:
        """Their messages in its thread after the cursor (None: from the root) and before it, oldest first, all pages.

        The cursor is the identity of the question that was answered there last.
        """
        ...

    async def beside(self, turn: Turn) -> Sequence[ThreadMessage]:
        """What the question itself quotes, forwards and links to, and the files with it; as far as its readers may."""
        ...


class Audiences(Protocol):
    """Who reads the reply to a turn whose event did not tell it."""

    async def of(self, turn: Turn) -> Audience:
        """As it is now; what can't be told counts as if somebody from outside read along."""
        ...


class Directory(Protocol):
    """Names and groups of people and channels."""

    async def name(self, platform: str, workspace: str, id: str) -> str: ...


# --- steps of the graph -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What a planner decides from. `cards` are those that the audience may read, never more."""

    question: str
    language: Language
    today: date
    cards: tuple[Card, ...]
    history: tuple[Exchange, ...] = ()
    context: tuple[ThreadMessage, ...] = ()
    web_allowed: bool = False
    clarified_before: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that the writer may use, numbered by its place from 1, with the strips to write from."""

    passage: Passage
    strips: tuple[Strip, ...]
    grade: Grade


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """What a writer writes from. `evidence` is empty only on the `direct` route."""

    question: str
    asked: str
    language: Language
    plan: Plan
    evidence: tuple[Evidence, ...]
    verdict: Verdict | None
    today: date
    history: tuple[Exchange, ...] = ()
    unsupported: tuple[str, ...] = ()
    missing: str = ""
    cards: tuple[Card, ...] = ()


class Planner(Protocol):
    """Standalone question and route, decided together."""

    async def plan(self, request: PlanRequest) -> Plan: ...


class Grader(Protocol):
    """Is each passage relevant to the question?"""

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order."""
        ...


class Refiner(Protocol):
    """d' = the strips s of d with rel(q, s) > tau, joined in order."""

    async def refine(self, question: str, plan: Plan, passages: Sequence[Passage]) -> Refined: ...


class Rewriter(Protocol):
    """Another wording of the question for the place where it will be searched."""

    async def rewrite(self, question: str, plan: Plan, aim: Literal["index", "web"], missing: str) -> str: ...


class Writer(Protocol):
    """The answer, streamed, with markers ``[n]`` that count the evidence from 1."""

    def write(self, request: WriteRequest) -> AsyncIterator[str]: ...


class Checker(Protocol):
    """Is the answer supported by the passages it cites, and does it answer the question?"""

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        """`answer` still carries markers that count `passages` from 1."""
        ...


class Attributor(Protocol):
    """Which passage says what a sentence says?"""

    async def support(self, sentences: Sequence[str], passages: Sequence[Passage]) -> Vectors:
        """Shape (len(sentences), len(passages)): the probability (0-1) that this passage alone supports it."""
        ...
