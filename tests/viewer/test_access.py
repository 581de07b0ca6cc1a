"""The door: a reader without the secret sees nothing of what is stored."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.viewer.conftest import Configure, remembered

pytestmark = pytest.mark.django_db
SECRET = "a-long-random-secret"


@pytest.fixture(autouse=True)
def locked(configure: Configure) -> None:
    configure(EVERLORE_SECRET=SECRET)
    remembered("the well is deep")


def sees(client: Client) -> bool:
    response = client.get("/")
    return response.status_code == 200 and "the well is deep" in response.content.decode()


def test_a_stranger_is_asked_and_sees_nothing(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    body = response.content.decode()
    assert 'name="secret"' in body
    assert "orchard" not in body
    assert "the well" not in body


def test_the_secret_opens_and_the_cookie_keeps_it_open(client: Client) -> None:
    assert client.post("/unlock", {"secret": SECRET}).status_code == 302
    assert sees(client)


@pytest.mark.parametrize(
    "given", ["", "wrong", SECRET.upper(), SECRET + " ", SECRET[:-1], "密钥", "\x00"], ids=range(7)
)
def test_anything_else_does_not(client: Client, given: str) -> None:
    response = client.post("/unlock", {"secret": given})
    assert response.status_code == 401
    assert "That is not the secret." in response.content.decode()
    assert not sees(client)


def test_a_made_up_cookie_does_not_open(client: Client) -> None:
    client.cookies["everlore_unlocked"] = "1:made-up"
    assert client.get("/").status_code == 401


def test_a_new_secret_locks_every_browser_out(client: Client, configure: Configure) -> None:
    client.post("/unlock", {"secret": SECRET})
    configure(EVERLORE_SECRET="another-long-secret")
    assert client.get("/").status_code == 401


def test_the_cookie_holds_no_secret_and_no_script_reads_it(client: Client) -> None:
    cookie = client.post("/unlock", {"secret": SECRET}).cookies["everlore_unlocked"]
    assert SECRET not in cookie.value
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_over_https_the_cookie_stays_on_https(client: Client) -> None:
    assert client.post("/unlock", {"secret": SECRET}, secure=True).cookies["everlore_unlocked"]["secure"]


def test_it_can_be_locked_again(client: Client) -> None:
    client.post("/unlock", {"secret": SECRET})
    client.post("/lock")
    assert client.get("/").status_code == 401


def test_another_site_cannot_unlock_for_its_reader() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/unlock", {"secret": SECRET}).status_code == 403


def test_people_signed_in_to_the_admin_are_let_in(client: Client) -> None:
    client.force_login(User.objects.create_user("keeper", is_staff=True))
    assert sees(client)


def test_a_user_without_the_admin_is_not(client: Client) -> None:
    client.force_login(User.objects.create_user("visitor"))
    assert client.get("/").status_code == 401


def test_a_reload_of_the_door_leads_to_the_first_page(client: Client) -> None:
    assert client.get("/unlock").headers["Location"] == "/"


def test_without_a_secret_there_is_no_door(client: Client, configure: Configure) -> None:
    configure(EVERLORE_SECRET="")
    assert sees(client)
    assert client.post("/unlock", {"secret": ""}).status_code == 401
