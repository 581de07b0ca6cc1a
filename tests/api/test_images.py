"""Images are lifted out of payloads, kept on disk once, and go when nothing uses them any more."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest

from memory_core.flows.observe import IMAGE_LEFT_OUT
from memory_core.models import Image, Observation
from tests.api.conftest import Configure
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db(transaction=True)

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
NAME = hashlib.sha256(PICTURE).hexdigest() + ".png"
INLINE = "data:image/png;base64," + base64.b64encode(PICTURE).decode()


@pytest.fixture
def file(settings: Any) -> Path:
    return Path(settings.IMAGES_DIR) / NAME


def seen(caller: Caller, session: str = "s1", times: int = 1) -> str:
    output = [INLINE] * times
    answer = caller.observe(sessionId=session, data={"tool_name": "Read", "tool_output": {"images": output}})
    return str(answer["observationId"])


def test_the_row_holds_a_reference_and_the_disk_the_bytes(owner: Caller, file: Path) -> None:
    data = {"tool_name": "Read", "tool_input": {"file_path": "pear.png"}, "tool_output": {"images": [INLINE]}}

    stored = Observation.objects.get(pk=owner.observe(data=data)["observationId"])

    assert stored.raw["tool_output"] == {"images": [f"image:{NAME}"]}
    assert (stored.images, stored.modality) == ([NAME], "mixed")
    assert file.read_bytes() == PICTURE
    assert Image.objects.get().reference_count == 1
    assert owner.get("observations?sessionId=s1")["observations"][0]["imageData"] == NAME


def test_an_image_twice_in_one_event_is_one_use(owner: Caller) -> None:
    seen(owner, times=2)

    assert Image.objects.get().reference_count == 1


def test_an_image_that_another_observation_uses_stays(owner: Caller, file: Path) -> None:
    first = seen(owner, "s1")
    seen(owner, "s2")

    owner.post("forget", {"sessionId": "s1", "observationIds": [first]})

    assert Image.objects.get().reference_count == 1
    assert file.exists()


@pytest.mark.parametrize("whole_session", [True, False], ids=["its session", "the observation"])
def test_the_last_use_takes_the_image_with_it(owner: Caller, file: Path, whole_session: bool) -> None:
    first = seen(owner)

    owner.post("forget", {"sessionId": "s1"} | ({} if whole_session else {"observationIds": [first]}))

    assert Image.objects.count() == 0
    assert not file.exists()


def test_a_full_store_leaves_the_image_out_and_keeps_the_observation(
    owner: Caller, file: Path, configure: Configure
) -> None:
    configure(EVERLORE_IMAGE_STORE_MAX_BYTES=len(PICTURE) - 1)

    stored = Observation.objects.get(pk=seen(owner))

    assert stored.images == []
    assert stored.raw["tool_output"] == {"images": [IMAGE_LEFT_OUT]}
    assert not file.exists()
    assert Image.objects.count() == 0


def test_a_repetition_is_no_further_use(owner: Caller) -> None:
    seen(owner)
    owner.observe(data={"tool_name": "Read", "tool_output": {"images": [INLINE]}})

    assert Image.objects.get().reference_count == 1
