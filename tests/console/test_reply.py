"""Replies on a terminal and on a pipe: nothing twice, no draft where it cannot grow, errors by their sentence."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime

from adapters.console.messages import thread_key, typed
from adapters.console.render import footer
from adapters.console.reply import ConsoleReplies, ConsoleReply, Screen
from core.answers import Answer, Citation
from core.errors import RefdeskError
from core.messages import Message, Turn

OWN = Citation(1, "docs", "vpn.md", "p1", "VPN", ("VPN", "Passwords"), date=date(2026, 2, 3), quote="90 days")
WEB = Citation(2, "web", "https://e.example/x", "p2", "Page", link="https://e.example/x", origin="web")
ANSWER = Answer("It changes every 90 days [1].", "supported", (OWN,))


class Terminal(io.StringIO):
    """Text that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


async def test_a_pipe_gets_the_final_text_once_and_no_drafts() -> None:
    out, err = io.StringIO(), io.StringIO()
    reply = ConsoleReply(Screen(out, err), "en")
    await reply.progress("Searching")
    await reply.show("It changes", final=False)
    await reply.finish(ANSWER)
    assert out.getvalue().count("It changes every 90 days [1].") == 1
    assert err.getvalue() == ""


async def test_a_terminal_sees_the_text_grow_and_the_status_vanish() -> None:
    out, err = Terminal(), Terminal()
    reply = ConsoleReply(Screen(out, err), "en")
    await reply.progress("Searching")
    await reply.show("It changes", final=False)
    await reply.show("It changes every 90 days [1].", final=False)
    await reply.finish(ANSWER)
    assert out.getvalue().count("It changes") == 1
    assert "Searching" in err.getvalue()
    assert err.getvalue().endswith("\x1b[2K")


async def test_a_text_that_was_changed_is_printed_again_whole() -> None:
    out = Terminal()
    reply = ConsoleReply(Screen(out, Terminal()), "en")
    await reply.show("A wrong beginning", final=False)
    await reply.finish(ANSWER)
    assert "It changes every 90 days [1]." in out.getvalue()


async def test_an_error_is_its_sentence_and_nothing_else() -> None:
    out, err = io.StringIO(), io.StringIO()
    error = RefdeskError(detail="secret")
    await ConsoleReply(Screen(out, err), "ko").finish(error)
    assert err.getvalue().strip() == error.user_message("ko")
    assert out.getvalue() == ""


async def test_a_quiet_reply_leaves_all_printing_to_the_caller() -> None:
    out, err = io.StringIO(), io.StringIO()
    reply = ConsoleReply(Screen(out, err), "en", quiet=True)
    await reply.progress("x")
    await reply.show("x", final=True)
    await reply.finish(ANSWER)
    assert (out.getvalue(), err.getvalue()) == ("", "")


def test_the_footer_names_section_date_and_path_and_keeps_the_web_apart() -> None:
    text = footer(Answer("x [1] [2]", "supported", (OWN, WEB)), "en")
    assert "[1] VPN – Passwords, 2026-02-03 – docs/vpn.md" in text.replace("VPN › Passwords", "Passwords")
    assert text.index("[1]") < text.index("From the web") < text.index("[2]")
    assert "https://e.example/x" in text


def test_what_was_not_found_lists_the_nearest_documents() -> None:
    text = footer(Answer("No.", "not_found", nearest=(OWN,)), "ko")
    assert "가까운 문서" in text
    assert "vpn.md" in text


def test_a_direct_reply_has_no_footer() -> None:
    assert footer(Answer("Hello!", "direct"), "en") == ""


def test_what_is_typed_is_a_message_of_its_thread_and_each_is_another() -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    one, two = typed("How long?", "t1", now), typed("How long?", "t1", now)
    assert one.key == two.key == thread_key("t1")
    assert one.identity != two.identity
    assert one.mentions_us


def turn_of(message: Message, answer: Answer | None = None, error_id: str | None = None) -> Turn:
    status = "answered" if answer else "failed"
    return Turn(
        "t",
        message.identity,
        message.key,
        message.author,
        message.audience,
        message.text,
        message.reply_to,
        message.received_at,
        status=status,  # type: ignore[arg-type]
        answer=answer,
        error_id=error_id,
    )


async def test_a_question_left_by_another_process_is_not_answered_on_this_screen() -> None:
    out, err = Terminal(), Terminal()
    reply = await ConsoleReplies(Screen(out, err)).open(turn_of(typed("How long?", "t1", datetime.now(UTC))))
    await reply.progress("Searching")
    await reply.show("It changes", final=False)
    await reply.finish(ANSWER)
    assert (out.getvalue(), err.getvalue()) == ("", "")


async def test_an_answer_is_printed_once_whichever_process_gave_it() -> None:
    for answered_here in (True, False):
        out = io.StringIO()
        replies = ConsoleReplies(Screen(out, io.StringIO()))
        message = typed("How long?", "t1", datetime.now(UTC))
        replies.expect(message)
        if answered_here:
            await (await replies.open(turn_of(message))).finish(ANSWER)
        await replies.settle(turn_of(message, ANSWER))
        assert out.getvalue().count("It changes every 90 days [1].") == 1


async def test_a_failure_in_another_process_is_told_with_its_id() -> None:
    err = io.StringIO()
    replies = ConsoleReplies(Screen(io.StringIO(), err))
    message = typed("How long?", "t1", datetime.now(UTC))
    replies.expect(message)
    await replies.settle(turn_of(message, error_id="abc123"))
    assert "abc123" in err.getvalue()
    assert replies.failure is not None
