"""Inline images leave the payload, all of them, and nothing else does."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest
from hypothesis import given

from memory_core.capture.images import holds_image, lift_images, modality
from tests.capture.strategies import ANY_JSON, UNHURRIED

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"pixels of a png"
JPEG = b"\xff\xd8\xff\xe0" + b"pixels of a jpeg"
GIF = b"GIF89a" + b"pixels of a gif"
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 " + b"pixels"


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def reference(data: bytes, extension: str) -> str:
    return f"image:{hashlib.sha256(data).hexdigest()}.{extension}"


@pytest.mark.parametrize(
    ("text", "data", "extension"),
    [
        pytest.param(encoded(PNG), PNG, "png", id="bare PNG"),
        pytest.param(encoded(JPEG), JPEG, "jpg", id="bare JPEG"),
        pytest.param(encoded(GIF), GIF, "gif", id="bare GIF"),
        pytest.param(encoded(WEBP), WEBP, "webp", id="bare WEBP"),
        pytest.param("data:image/png;base64," + encoded(PNG), PNG, "png", id="a URI"),
        pytest.param("data:image/png;base64," + encoded(JPEG), JPEG, "jpg", id="the bytes decide, not the claim"),
        pytest.param("DATA:image/JPEG;charset=x;base64," + encoded(JPEG), JPEG, "jpg", id="a URI with a parameter"),
        pytest.param("data:image/svg+xml;base64," + encoded(b"<svg/>"), b"<svg/>", "svg", id="a declared format"),
        pytest.param("data:image/odd;base64," + encoded(b"odd bytes"), b"odd bytes", "png", id="an unknown format"),
        pytest.param(
            "data:image/png;base64,\n" + encoded(PNG)[:20] + "\n" + encoded(PNG)[20:], PNG, "png", id="wrapped"
        ),
    ],
)
def test_an_image_becomes_a_reference(text: str, data: bytes, extension: str) -> None:
    value, images = lift_images({"tool_output": text})

    assert value == {"tool_output": reference(data, extension)}
    assert [(image.digest, image.extension, image.data) for image in images] == [
        (hashlib.sha256(data).hexdigest(), extension, data)
    ]


def test_every_image_of_a_payload_is_lifted_once_in_order() -> None:
    payload = {
        "tool_response": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": encoded(PNG)}},
            {
                "type": "text",
                "text": f"see ![a](data:image/gif;base64,{encoded(GIF)}) and {'data:image/png;base64,' + encoded(PNG)}",
            },
            {"type": "image", "file": {"base64": encoded(JPEG), "type": "image/jpeg", "originalSize": 9}},
        ]
    }

    value, images = lift_images(payload)

    assert [image.data for image in images] == [PNG, GIF, JPEG]
    assert isinstance(value, dict)
    blocks: Any = value["tool_response"]
    assert blocks[0]["source"]["data"] == reference(PNG, "png")
    assert blocks[1]["text"] == f"see ![a]({reference(GIF, 'gif')}) and {reference(PNG, 'png')}"
    assert blocks[2]["file"] == {"base64": reference(JPEG, "jpg"), "type": "image/jpeg", "originalSize": 9}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(encoded(PNG)[:-1], id="base64 that was cut off"),
        pytest.param(encoded(PNG) + "\n[...truncated]", id="with a truncation note"),
        pytest.param("/9j/not an image at all", id="a path that begins like a JPEG"),
        pytest.param("UklGR" + "A" * 23, id="RIFF that is no WEBP"),
        pytest.param("data:image/png;base64,", id="a URI without data"),
        pytest.param("data:image/svg+xml,<svg/>", id="a URI that is not base64"),
        pytest.param(encoded(b"nothing to see, only bytes"), id="other base64"),
        pytest.param("/9j/", id="the magic alone"),
    ],
)
def test_what_is_no_image_stays_text(text: str) -> None:
    payload = {"a": [text]}

    value, images = lift_images(payload)

    assert value is payload
    assert images == []


@UNHURRIED
@given(ANY_JSON)
def test_any_json_can_be_lifted_and_lifting_twice_is_lifting_once(value: Any) -> None:
    lifted = lift_images(value).value

    assert lift_images(lifted).images == []


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param({"image_data": reference(PNG, "png")}, True, id="a reference"),
        pytest.param({"a": {"imagePath": "shots/1.png"}}, True, id="a path under an image key"),
        pytest.param({"image_path": ""}, False, id="an empty path"),
        pytest.param({"a": "image: none"}, False, id="the word"),
    ],
)
def test_an_image_is_recognised_in_a_lifted_payload(payload: Any, expected: bool) -> None:
    assert holds_image(payload) is expected


@pytest.mark.parametrize(
    ("image", "text", "expected"),
    [(False, True, "text"), (False, False, "text"), (True, False, "image"), (True, True, "mixed")],
)
def test_modality_follows_the_protocol(image: bool, text: bool, expected: str) -> None:
    assert modality(image=image, text=text) == expected
