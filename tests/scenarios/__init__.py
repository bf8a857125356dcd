"""Scenarios: the real graph, steps, client, retrieval and web search; only what models and pages say is scripted.

`test_variants.py` has a scenario for each preset and each published variant, `test_rules.py` a test named after
each of the sixteen rules of the graph. What a rule says in detail is tested where it is built:

    1   the plan is made in a node and travels; a web question goes back to the web
        tests/rag/test_graph.py: test_a_run_routed_to_the_web_never_goes_to_the_index
    2   what was rejected, and why, is stored
        tests/rag/test_graph.py: test_a_stale_report_is_named_with_its_date_and_not_presented_as_that_years
    3   the trigger for correction is a setting
        tests/rag/test_graph.py: test_any_web_correction_is_eager_and_all_is_not
    4   correcting appends, routing replaces; only what is ungraded is graded
        tests/rag/test_graph.py: test_ambiguous_refines_its_own_and_appends_the_web_then_writes_once
        tests/rag/test_graph.py: test_incorrect_goes_to_the_web_where_it_is_allowed_and_web_pages_are_graded
    5   where a rewrite is going decides its prompt; it is one clean line
        tests/rag/model/test_prompts.py: test_the_two_aims_of_a_rewrite_have_prompts_of_their_own
        tests/rag/model/test_rewriter.py: test_the_first_real_line_without_label_preamble_and_quotes
        tests/rag/model/test_rewriter.py: test_at_most_four_hundred_characters_cut_at_a_word
        tests/rag/model/test_rewriter.py: test_what_is_no_wording_of_the_question_leaves_it_as_it_is
    6   a complete question is not rewritten; the user's wording is searched too
        tests/rag/model/test_planner.py: test_without_a_conversation_the_question_stays_literally_the_askers
        tests/rag/test_graph.py: test_the_users_own_wording_is_searched_beside_the_standalone_question
    7   a rewrite changes only the search query, and starts from the question
        tests/rag/test_graph.py: test_every_rewrite_starts_from_the_standalone_question
    8   every loop has a cap; nothing is written from nothing
        tests/rag/test_caps.py: test_every_combination_of_verdicts_ends_within_the_caps_with_words
        tests/scenarios/test_caps.py: test_every_combination_ends_within_its_caps_with_words_that_state_their_standing
        tests/rag/test_graph.py: test_the_deadline_gives_an_honest_no_with_the_nearest_documents
    9   the router decides; unsure means all collections, never the web
        tests/rag/model/test_planner.py: test_unsure_is_all_collections_and_never_the_web
        tests/rag/model/test_planner.py: test_clarify_is_one_short_question_back_and_never_twice_in_a_row
    10  judging is small and cold; grades are keyed by number
        tests/rag/model/test_grader.py: test_a_missing_grade_shifts_no_other_and_is_ambiguous
        tests/rag/model/test_grader.py: test_an_extra_grade_shifts_no_other
    11  the router prompt is rendered from the Cards
        tests/rag/model/test_prompts.py: test_the_router_section_is_rendered_from_the_cards_and_nothing_else
    12  time matters
        tests/rag/model/test_grader.py: test_what_its_dates_rule_out_is_stale_and_not_asked_about
        tests/web/test_in_runs.py: test_pages_are_wanted_from_the_start_of_a_time_that_has_begun
    13  retrieved text is data
        tests/rag/model/test_fencing.py: test_no_passage_closes_or_forges_a_fence
        tests/rag/model/test_prompts.py: test_no_passage_stands_in_a_system_message
        tests/scenarios/test_injection.py: test_an_order_in_a_document_is_carried_out_by_nobody
    14  generation may run ahead, display may not
        tests/scenarios/test_faults.py: test_words_that_ran_ahead_and_broke_off_are_kept_too
    15  the web is off until domains are named; a query carries no passage text
        tests/web/test_tavily.py: test_without_a_domain_nothing_is_searched_anywhere
        tests/rag/model/test_checker.py: test_what_is_missing_carries_no_passage_text
    16  "supported by", never "verified true"
        tests/scenarios/test_rules.py: test_rule_16_supported_by_its_sources_and_never_verified
"""
