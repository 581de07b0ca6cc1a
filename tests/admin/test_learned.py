"""The learned votes are shown, the old beside the new, and a curator can choose and go back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from memory_core.domain.scope import Scope
from memory_core.flows import weights
from memory_core.models import AuditEntry, RecallLog, StreamWeights
from tests.fakes import records

pytestmark = pytest.mark.django_db
ORCHARD = Scope(("orchard", ""))
FITS = "admin:memory_core_streamweights_changelist"


def fit(outcome: str, **new: float) -> StreamWeights:
    return StreamWeights.objects.create(
        project=records.project("orchard"),
        fitted_at=records.MOMENT + timedelta(hours=StreamWeights.objects.count()),
        outcome=outcome,
        old={"dense": 0.25},
        new=new,
        questions=100,
        held_out=40,
        old_score=0.412,
        new_score=0.533,
        least_gain=0.02,
    )


def act(client: Client, action: str, *rows: StreamWeights) -> None:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows]}
    assert client.post(reverse(FITS), data, follow=True).status_code == 200


def test_a_fit_is_shown_with_both_votes_and_both_scores(curator: Client) -> None:
    fit("unsure", lexical=2.0)

    page = curator.get(reverse(FITS)).content.decode()

    assert all(
        text in page for text in ("dense ×0.25", "lexical ×2", "0.412", "0.533", "+0.020", "the gain may be chance")
    )


def test_a_curator_chooses_a_fit_and_goes_back(curator: Client) -> None:
    chosen = fit("unsure", lexical=2.0)

    act(curator, "use_these", chosen)
    used = dict(weights.in_use(ORCHARD))
    act(curator, "go_back", chosen)

    assert (used, dict(weights.in_use(ORCHARD))) == ({"lexical": 2.0}, {})
    assert list(AuditEntry.objects.values_list("user_id", flat=True)) == ["keeper", "keeper"]


def test_two_rows_are_no_choice(curator: Client) -> None:
    act(curator, "use_these", fit("unsure", lexical=2.0), fit("unsure", dense=2.0))

    assert not StreamWeights.objects.filter(in_use=True).exists()


def test_who_may_only_look_decides_nothing(colleague: Callable[..., Client]) -> None:
    row = fit("unsure", lexical=2.0)
    client = colleague("view_streamweights")

    act(client, "use_these", row)

    assert not StreamWeights.objects.filter(in_use=True).exists()


def test_an_answered_question_is_shown_without_its_digest(curator: Client) -> None:
    row = RecallLog.objects.create(
        asked_at=records.MOMENT,
        project=records.project("orchard"),
        digest=b"secret digest",
        shown=["a", "b"],
        used=["a"],
    )

    page = curator.get(reverse("admin:memory_core_recalllog_changelist")).content.decode()

    assert str(row.session_id) in page
    assert "secret digest" not in page
