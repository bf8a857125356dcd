"""The tables of the record, as SQLAlchemy Core sees them. A change here needs a migration (a test compares)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    false,
    text,
)

from adapters.sql.columns import Day, Json, Moment, Words
from adapters.sql.installed import add_to
from core.answers import Answer, Plan, Retrieved, TraceEvent
from core.catalog.tested import SelfTest
from core.documents import Card
from core.indexing.report import SyncReport
from core.jobs import Asker, Failure
from core.messages import Audience, Author, ReplyTarget

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts up by itself only for a column declared INTEGER
Sequence = BigInteger().with_variant(Integer, "sqlite")

sessions = Table(
    "sessions",
    metadata,
    Column("id", Sequence, primary_key=True, autoincrement=True),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("channel", Words, nullable=False),
    Column("thread", Words, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("quiet", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("platform", "workspace", "channel", "thread"),
)

turns = Table(
    "turns",
    metadata,
    # the order of acceptance: clocks may stand still (`--now`) or differ between processes
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    Column("session_id", Sequence, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("platform", Words, nullable=False),
    Column("workspace", Words, nullable=False),
    Column("identity", Words, nullable=False),
    Column("status", String(16), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("owner", Words),
    Column("lease_until", Moment),
    Column("attempts", Integer, nullable=False),
    Column("author", Json(Author), nullable=False),
    Column("audience", Json(Audience), nullable=False),
    Column("question", Words, nullable=False),
    Column("target", Json(ReplyTarget), nullable=False),
    Column("plan", Json(Plan)),
    Column("answer", Json(Answer)),
    Column("trace", Json(tuple[TraceEvent, ...])),
    Column("error_id", Words),
    Column("created_at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("quiet", Boolean, nullable=False, server_default=false()),
    Column("stopping", Boolean, nullable=False, server_default=false()),
    # whose it is, to find and forget it; empty once it was forgotten
    Column("author_id", Words, nullable=False, server_default=""),
    Column("called", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("platform", "workspace", "identity"),
    Index(None, "status", "sequence"),
    Index(None, "session_id", "sequence"),
    Index(None, "author_id", "sequence"),
    sqlite_autoincrement=True,  # a number is never given twice, not even after /forget
)

taken_back = Table(
    "taken_back",
    metadata,
    # messages that were deleted and of which no turn was known: one that still comes is nothing
    Column("platform", Words, primary_key=True),
    Column("workspace", Words, primary_key=True),
    Column("identity", Words, primary_key=True),
    Column("at", Moment, nullable=False),
    Index(None, "at"),
)

citations = Table(
    "citations",
    metadata,
    Column("turn", Sequence, ForeignKey("turns.sequence", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("collection", Words, nullable=False),
    Column("document_id", Words, nullable=False),
    Column("passage_id", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("heading_path", Json(tuple[str, ...]), nullable=False),
    Column("page", Integer),
    Column("date", Day),
    Column("link", Words),
    Column("quote", Words, nullable=False),
    Column("origin", String(8), nullable=False),
    Index(None, "collection", "document_id"),
)

collections = Table(
    "collections",
    metadata,
    Column("name", Words, primary_key=True),
    Column("generation", Integer, nullable=False),
)

generations = Table(
    "generations",
    metadata,
    Column("collection", Words, ForeignKey("collections.name", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("embedding", Words, nullable=False),
    Column("card_version", Words, nullable=False),
    Column("documents", Integer, nullable=False),
    Column("published_at", Moment, nullable=False),
)

documents = Table(
    "documents",
    metadata,
    Column("collection", Words, ForeignKey("collections.name", ondelete="CASCADE"), primary_key=True),
    Column("id", Words, primary_key=True),
    Column("hash", Words, nullable=False),
    Column("fingerprint", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("language", Words, nullable=False),
    Column("passages", Integer, nullable=False),
    Column("date", Day),
    Column("link", Words),
    Column("headings", Json(tuple[str, ...]), nullable=False),
)

cards = Table(
    "cards",
    metadata,
    Column("collection", Words, primary_key=True),
    Column("version", Words, nullable=False),
    Column("card", Json(Card), nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)

digests = Table(
    "digests",
    metadata,
    Column("collection", Words, ForeignKey("collections.name", ondelete="CASCADE"), primary_key=True),
    Column("documents", Integer, nullable=False),
    Column("terms", Json(Mapping[str, int]), nullable=False),
    Column("questions", Json(tuple[str, ...])),
)

previous_cards = Table(
    "previous_cards",
    metadata,
    # as they were before the last sync of their own collection: what that sync changed can be shown
    Column("collection", Words, primary_key=True),
    Column("version", Words, nullable=False),
    Column("card", Json(Card), nullable=False),
)

self_tests = Table(
    "self_tests",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("collection", Words, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("at", Moment, nullable=False),
    Column("test", Json(SelfTest), nullable=False),
    Index(None, "collection", "sequence"),
    sqlite_autoincrement=True,
)

problems = Table(
    "problems",
    metadata,
    Column("collection", Words, ForeignKey("collections.name", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("document", Words, nullable=False),
    Column("reason", Words, nullable=False),
    Column("detail", Words, nullable=False),
    # of what was refused for good
    Column("fingerprint", Words, nullable=False, server_default=""),
)

sync_locks = Table(
    "sync_locks",
    metadata,
    Column("collection", Words, primary_key=True),
    Column("owner", Words, nullable=False),
    Column("lease_until", Moment, nullable=False),
)

run_passages = Table(
    "run_passages",
    metadata,
    Column("run", Words, primary_key=True),
    Column("passage", Words, primary_key=True),
    Column("retrieved", Json(Retrieved), nullable=False),
    Column("created_at", Moment, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("id", Words, nullable=False, unique=True),
    Column("collection", Words, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("askers", Json(tuple[Asker, ...]), nullable=False),
    Column("slot", Moment),
    Column("phase", String(16), nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("report", Json(SyncReport)),
    Column("failure", Json(Failure)),
    Column("cancelling", Boolean, nullable=False),
    Column("owner", Words),
    Column("lease_until", Moment),
    Column("attempts", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("finished_at", Moment),
    Index(None, "status", "sequence"),
    Index(None, "collection", "sequence"),
    # whoever asks while one waits gets that one, also when they ask at the same moment
    Index(
        "uq_jobs_waiting",
        "collection",
        unique=True,
        sqlite_where=text("status = 'waiting'"),
        postgresql_where=text("status = 'waiting'"),
    ),
    sqlite_autoincrement=True,
)

job_news = Table(
    "job_news",
    metadata,
    # a row for each message that does not say yet how a job ended
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("job", Words, ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("platform", Words, nullable=False),
    Column("asker", Json(Asker), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", Moment, nullable=False),
)

job_slots = Table(
    "job_slots",
    metadata,
    Column("collection", Words, primary_key=True),
    Column("slot", Moment, nullable=False),
)

channel_settings = Table(
    "channel_settings",
    metadata,
    # only added to: the last row of a setting holds, the others are its history
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("channel", Words, nullable=False),
    Column("name", Words, nullable=False),
    Column("collection", Words, nullable=False),
    Column("value", Json(tuple[str, ...]), nullable=False),
    Column("by", Words, nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_autoincrement=True,
)

bookmarks = Table(
    "bookmarks",
    metadata,
    # how far each workspace was heard: by whoever heard it, so that who comes back begins there
    Column("platform", Words, primary_key=True),
    Column("workspace", Words, primary_key=True),
    Column("message", BigInteger, nullable=False),
)

warnings_told = Table(
    "warnings_told",
    metadata,
    # what of the warnings that stand somebody was told
    Column("person", Words, primary_key=True),
    Column("sign", Words, primary_key=True),
)

feedback = Table(
    "feedback",
    metadata,
    Column("turn", Sequence, ForeignKey("turns.sequence", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("by", Words, primary_key=True),
    Column("thumb", String(8), nullable=False),
    Column("comment", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "at"),
)

corrections = Table(
    "corrections",
    metadata,
    Column("id", Words, primary_key=True),
    Column("question", Words, nullable=False),
    Column("text", Words, nullable=False),
    Column("by", Words, nullable=False),
    Column("at", Moment, nullable=False),
    Column("about", Json(tuple[str, ...]), nullable=False),
    Column("link", Words),
)

add_to(metadata)
