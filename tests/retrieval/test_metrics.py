"""Metrics against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from core.evaluation.metrics import accuracy, auroc, calibration, calibration_error, macro_f1, ndcg, recall


def test_ndcg() -> None:
    assert ndcg(["a", "b"], {"a": 1}) == 1.0
    assert ndcg(["b", "a"], {"a": 1}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["b", "b", "a"], {"a": 1}) == pytest.approx(1 / math.log2(3))
    assert ndcg(["b"] + [str(n) for n in range(10)] + ["a"], {"a": 1}) == 0.0
    assert ndcg(["a"], {}) == 0.0


def test_recall_counts_different_documents() -> None:
    assert recall(["a", "a", "b"], {"a", "b"}, 2) == 1.0
    assert recall([], {"a"}) == 0.0


def test_auroc_counts_ties_half() -> None:
    assert auroc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]) == 0.75
    assert auroc([1, 1], [0, 1]) == 0.5
    assert math.isnan(auroc([1], [1]))


def test_calibration() -> None:
    low, high = calibration([0.05, 0.95, 1.0], [0, 1, 1])
    assert (low.count, high.count, high.share) == (1, 2, 1.0)
    assert calibration_error([1.0, 0.0], [1, 0]) == 0.0


def test_accuracy_and_macro_f1() -> None:
    assert accuracy(["x", "y"], ["x", "x"]) == 0.5
    assert macro_f1(["x", "x"], ["x", "y"]) == pytest.approx((2 / 3 + 0) / 2)
