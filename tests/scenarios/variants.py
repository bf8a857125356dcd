"""Each published way to repair retrieval, as settings of ours: what the README's table is made from. No test here.

`python -m tests.scenarios` writes the tables into the README; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.policy import PRESETS, Policy


@dataclass(frozen=True, slots=True)
class Variant:
    """One published variant: where it comes from, which settings it is, and what was wrong with it."""

    name: str
    source: str
    preset: str
    flaw: str
    here: str
    tests: tuple[str, ...]
    changes: Mapping[str, object] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """The settings."""
        return replace(PRESETS[self.preset], **self.changes)  # type: ignore[arg-type]


CHAIN = Variant(
    "Plain chain",
    "Lewis et al. 2020, *Retrieval-Augmented Generation* (arXiv:2005.11401); LangChain's RAG tutorial",
    "chain",
    "nobody looks at what was retrieved: whatever comes back is written from",
    "the same; the answer is marked as not checked, and an empty search ends as “not found” without a call",
    (
        "test_chain_writes_from_whatever_was_found_and_says_that_nobody_checked",
        "test_chain_writes_nothing_from_nothing",
    ),
)
CONVERSATION = Variant(
    "Conversational rewriting",
    "LangChain's `create_history_aware_retriever` (“condense question”)",
    "chain",
    "given a live chat, the rewriter answers instead of rewriting; complete questions are altered; only the rewrite "
    "is searched",
    "the thread is quoted as data, an answer is not taken for a question, the user's own words are searched too, and "
    "a first question costs no call",
    (
        "test_a_follow_up_is_written_out_and_both_wordings_are_searched",
        "test_a_rewriter_that_answers_is_not_believed",
    ),
)
SELF = Variant(
    "Self-RAG by prompts",
    "Asai et al. 2023, *Self-RAG* (arXiv:2310.11511), as in LangGraph's Self-RAG tutorial",
    "self",
    "rewrites and regenerations have no end but the recursion limit; each rewrite starts from the last; a call for "
    "every passage",
    "two rewrites and two regenerations at most, three together; one call for all passages; each rewrite starts from "
    "the question",
    (
        "test_self_rewrites_for_the_index_when_all_are_rejected",
        "test_self_writes_again_what_was_not_grounded_and_is_told_what",
        "test_self_ends_at_its_caps_where_the_published_loop_ends_at_the_recursion_limit",
    ),
)
CRAG_TUTORIAL = Variant(
    "Corrective RAG, the tutorial",
    "LangGraph's CRAG tutorial, after Yan et al.",
    "crag-any",
    "one rejected passage of k sends every question to the web; web pages are used ungraded; the rewrite replaces "
    "the question",
    "the web's passages are appended and graded, by the same node; writing goes on with the question as it was asked; "
    "the trigger is a setting and `check` warns of `any` above k = 4",
    ("test_crag_tutorial_appends_the_web_when_any_is_rejected_and_grades_it",),
)
CRAG = Variant(
    "Corrective RAG, the paper",
    "Yan et al. 2024, *Corrective Retrieval Augmented Generation* (arXiv:2401.15884)",
    "crag",
    "the grades need a fine-tuned evaluator; web results are trusted",
    "three grades by calibrated steps or one model call; strips keep their passage; web passages are graded before use",
    (
        "test_crag_refines_what_is_correct_and_leaves_the_web_alone",
        "test_crag_refines_and_searches_the_web_at_once_when_ambiguous",
        "test_crag_replaces_what_is_incorrect_by_the_web",
    ),
)
CRAG_LOOP = Variant(
    "Agentic corrective RAG",
    "agentic CRAG: CRAG's grading with a loop back from the web and from the checks",
    "crag-loop",
    "the loop goes through the web until something passes",
    "at most two searches and two rewrites; nothing new ends the loop; web pages are graded like all others",
    (
        "test_crag_loop_searches_the_web_again_when_its_pages_are_rejected",
        "test_crag_loop_ends_at_its_caps_with_an_honest_no",
    ),
)
ADAPTIVE_TUTORIAL = Variant(
    "Adaptive RAG, the tutorial",
    "LangGraph's Adaptive RAG tutorial: a router in front of Self-RAG",
    "adaptive",
    "the route is an edge and therefore lost: a web question that is rewritten goes to the index; “otherwise, web” for "
    "every unsure question; no cap",
    "the plan is made in a node and travels; unsure means all collections; loops are capped",
    (
        "test_adaptive_tutorial_stays_on_the_web_when_it_has_to_search_again",
        "test_adaptive_tutorial_asks_the_index_first_where_the_router_is_unsure",
    ),
    {"grades": "binary", "trigger": "all", "correction": "index", "refine": False},
)
JEONG = Variant(
    "Adaptive-RAG, the paper",
    "Jeong et al. 2024, *Adaptive-RAG* (arXiv:2403.14403): no retrieval, one step, several steps",
    "adaptive",
    "“no retrieval” answers questions from the model's memory; several steps go one after the other",
    "without retrieval only small talk is answered; the parts are searched side by side, and the next round searches "
    "for what the check found missing",
    (
        "test_adaptive_paper_none_is_one_small_call",
        "test_adaptive_paper_single_is_one_retrieval",
        "test_adaptive_paper_multi_searches_its_parts_side_by_side_and_then_what_is_missing",
    ),
    {"grades": "off", "trigger": "never", "correction": "none", "refine": False},
)
ADAPTIVE = Variant(
    "Refdesk's default",
    "the router, Self-RAG's checks and CRAG's three grades together",
    "adaptive",
    "–",
    "four calls when nothing goes wrong",
    (
        "test_adaptive_takes_four_calls_when_nothing_goes_wrong",
        "test_adaptive_rewrites_for_the_index_where_there_is_no_web",
        "test_adaptive_searches_the_web_where_it_may",
    ),
)

VARIANTS = (CHAIN, CONVERSATION, SELF, CRAG_TUTORIAL, CRAG, CRAG_LOOP, ADAPTIVE_TUTORIAL, JEONG, ADAPTIVE)
