"""Secrets never reach a row, and what is no secret stays readable."""

from __future__ import annotations

import base64
import json
import random
import string
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.capture.catalogue import KingfisherCatalogue, NoCatalogue
from memory_core.capture.payload import clean
from memory_core.capture.scrub import PRIVATE_MARKER, SECRET_MARKER, Scrubber
from tests.capture.strategies import ANY_JSON, UNHURRIED

ALNUM = string.ascii_letters + string.digits


def made(length: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    """A secret of no one: drawn at random, the same in every run, with letters and digits."""
    drawn = random.Random(f"{seed}{length}{alphabet}")
    return "".join(drawn.choice(alphabet) for _ in range(length))


BASE64_KEY = base64.b64encode(random.Random(3).randbytes(64)).decode()
PEM_BODY = "\n".join(made(64, seed=line) for line in range(6))


@pytest.fixture(scope="module")
def own() -> Scrubber:
    return Scrubber(NoCatalogue())


@pytest.fixture(scope="module")
def full() -> Scrubber:
    scrubber = Scrubber(KingfisherCatalogue())
    scrubber.warm()
    return scrubber


@pytest.mark.parametrize(
    ("template", "secret", "rule"),
    [
        pytest.param("api_key = '{}'", made(32), "assignment", id="1 an assigned key"),
        pytest.param("MY-API-KEY:{}", made(20), "assignment", id="1 without spaces, in capitals"),
        pytest.param("credential: {}", "abcdefghijklmnopqrstuvwxyz", "assignment", id="1 letters only"),
        pytest.param('{{"client_secret": "{}"}}', made(24), "assignment", id="1 in JSON text"),
        pytest.param('{{\\"token\\": \\"{}\\"}}', made(24), "assignment", id="1 in escaped JSON text"),
        pytest.param("-H 'X: bearer {}'", made(40), "bearer", id="2 bearer"),
        pytest.param("{}", "sk-proj-" + made(40), "openai_project_key", id="3 OpenAI project key"),
        pytest.param("use {} now", "pk-" + made(24), "generic_key", id="4 generic key"),
        pytest.param("{}", "sk-" + "abcdefghijklmnopqrstuv", "generic_key", id="4 letters only"),
        pytest.param("{}", "sk-ant-" + made(30), "anthropic_key", id="5 Anthropic key"),
        pytest.param("cut{}", "sk-ant-" + made(30), "anthropic_key", id="5 glued to another word"),
        pytest.param("https://{}@github.com/a/b", "ghp_" + made(36), "github_token", id="6 GitHub token"),
        pytest.param("{}", "github_pat_" + made(40), "github_fine_grained", id="7 GitHub fine-grained"),
        pytest.param("{}", "xoxb-12-ab", "slack_token", id="8 Slack"),
        pytest.param("id={}", "AKIA" + made(16, string.ascii_uppercase + "234567"), "aws_key", id="9 AWS"),
        pytest.param("{}", "AIza" + made(35), "google_api_key", id="10 Google"),
        pytest.param("{}", f"eyJ{made(20)}.{made(30)}.{made(43)}", "json_web_token", id="11 JWT"),
        pytest.param("{}", "npm_" + made(36), "npm_token", id="12 npm"),
        pytest.param("{}", "glpat-" + made(20), "gitlab_token", id="13 GitLab"),
        pytest.param("{}", "dop_v1_" + made(64), "digitalocean_token", id="14 DigitalOcean"),
        pytest.param("password=hunter{}", "hunter2x", "password", id="a short password"),
        pytest.param("DB_PASSWORD={}", "correcthorse", "password", id="an env file"),
        pytest.param("password: '{}'", "Tr0ub4dor&3", "password", id="a quoted password"),
        pytest.param("mysql --password {} -e x", "opensesame", "password", id="a password as an argument"),
        pytest.param("postgres://bob:{}@db/x", "s3cr3t", "url_password", id="a password in a URL"),
        pytest.param("amqp://u:{}@mq:5672", "p@ss", "url_password", id="a password with an at sign"),
        pytest.param(
            "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", PEM_BODY, "private_key", id="PEM"
        ),
        pytest.param("-----BEGIN PRIVATE KEY-----\n{}", PEM_BODY, "private_key", id="PEM, cut off by a client"),
        pytest.param("AccountKey={};EndpointSuffix=core", BASE64_KEY, "azure_key", id="Azure storage key"),
        pytest.param("https://x.blob/y?sv=1&sig={}", made(44), "signed_url", id="a signed URL"),
        pytest.param("Authorization: Basic {}", "dXNlcjpodW50ZXIy", "basic_authorization", id="basic authorization"),
    ],
)
def test_a_secret_is_redacted_and_counted(own: Scrubber, template: str, secret: str, rule: str) -> None:
    text = template.format(secret)

    scrubbed, counts = own.text(text)

    assert secret not in scrubbed
    assert SECRET_MARKER in scrubbed
    assert counts[rule] >= 1


def test_an_aws_secret_beside_its_id_is_redacted(own: Scrubber) -> None:
    secret = made(40, ALNUM + "/+")

    scrubbed, counts = own.text(f"AKIA{made(16, string.ascii_uppercase)} {secret}")

    assert scrubbed == f"{SECRET_MARKER} {SECRET_MARKER}"
    assert counts == {"aws_key": 2}


@pytest.mark.parametrize(
    "harmless",
    [
        pytest.param("commit 3f786850e387550fdab836ed7e6dc881de23001b", id="a git commit"),
        pytest.param("id: 123e4567-e89b-12d3-a456-426614174000", id="a uuid"),
        pytest.param("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", id="a file's hash"),
        pytest.param(f'"integrity": "sha512-{BASE64_KEY}"', id="a lock file's integrity"),
        pytest.param(
            "data:image/png;base64," + base64.b64encode(random.Random(5).randbytes(3000)).decode(), id="an image"
        ),
        pytest.param("token_budget: 2000", id="a budget of tokens"),
        pytest.param("tokens_used=148233", id="a count of tokens"),
        pytest.param("secret_name: my-secret", id="the name of a secret"),
        pytest.param("password = get_password()", id="a call"),
        pytest.param("password = settings.DATABASE_PASSWORD_2", id="a setting"),
        pytest.param("token: AbstractAuthenticationToken", id="a type annotation"),
        pytest.param("auth = authenticate_user_with_token(request)", id="a long call"),
        pytest.param("password: string; token: string", id="a TypeScript interface"),
        pytest.param("password=${DB_PASSWORD}", id="a shell variable"),
        pytest.param('password: "{{ vault_password }}"', id="a template"),
        pytest.param("API_KEY=<your-api-key-goes-here>", id="a placeholder"),
        pytest.param("PASSWORD=********", id="stars"),
        pytest.param("task-runner-configuration-file-name", id="a word that ends in sk"),
        pytest.param("pk-lookup-table-by-primary-key", id="words behind a key prefix"),
        pytest.param("PWD=/home/user1/project2", id="the working directory"),
        pytest.param("secret: /var/run/secrets/kubernetes/token", id="a path"),
        pytest.param("http://localhost:8080/path@x", id="a port is no password"),
        pytest.param("git+ssh://git@github.com:org/repo@v1", id="a user without a password"),
        pytest.param("author: someone-with-a-long-name-here", id="a key that only begins like one"),
        pytest.param('if "-----BEGIN PRIVATE KEY-----" in text: pass', id="code about keys"),
        pytest.param("Bearer authentication-and-authorization", id="a heading"),
        pytest.param("def f(token=None, password=None): ...", id="defaults"),
        pytest.param("日本語のパスワード、トークン", id="another script"),
    ],
)
def test_what_is_no_secret_stays(full: Scrubber, harmless: str) -> None:
    assert full.text(harmless) == (harmless, {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a<private>x</private>b", f"a{PRIVATE_MARKER}b", id="a block"),
        pytest.param("<PRIVATE>x\ny</Private>", PRIVATE_MARKER, id="any case, several lines"),
        pytest.param("<private>a<private>b</private>c</private>d", f"{PRIVATE_MARKER}d", id="nested: the outermost"),
        pytest.param("a <private>b", f"a {PRIVATE_MARKER}", id="never closed: to the end"),
        pytest.param("<private>a<private>b</private>c", PRIVATE_MARKER, id="closed too seldom: to the end"),
        pytest.param("a</private>b", "a</private>b", id="a stray end tag"),
        pytest.param("<privateer>a", "<privateer>a", id="another tag"),
        pytest.param("<private>1</private><private>2</private>", PRIVATE_MARKER * 2, id="two blocks"),
    ],
)
def test_private_blocks_are_redacted(own: Scrubber, text: str, expected: str) -> None:
    assert own.text(text).text == expected


@pytest.mark.parametrize(
    ("key", "value", "redacted"),
    [
        pytest.param("password", "opensesame", True, id="a password"),
        pytest.param("clientSecret", "opensesame", True, id="camel case"),
        pytest.param("X-Api-Key", "opensesame", True, id="a header"),
        pytest.param("Authorization", "Token abc 12345", True, id="a header with spaces"),
        pytest.param("password", "short", False, id="too short to be sure"),
        pytest.param("password", "Enter your password here", False, id="prose"),
        pytest.param("password", "${DB_PASSWORD}", False, id="a variable"),
        pytest.param("token", "identifier", False, id="a parser's token"),
        pytest.param("secret_name", "my-secret-in-vault", False, id="a name"),
        pytest.param("token_budget", "two thousand", False, id="a budget"),
        pytest.param("next_page_token", "a8f7d6a8f7d6", False, id="a cursor"),
        pytest.param("private_key", "/etc/ssl/private/server.pem", False, id="a path"),
    ],
)
def test_a_value_is_a_secret_by_the_name_of_its_key(own: Scrubber, key: str, value: str, redacted: bool) -> None:
    scrubbed, counts = own.json({"outer": [{key: value, "n": 1}]})

    assert scrubbed == {"outer": [{key: SECRET_MARKER if redacted else value, "n": 1}]}
    assert counts == ({"sensitive_key": 1} if redacted else {})


def test_keys_are_scrubbed_and_none_is_lost(own: Scrubber) -> None:
    first, second = "sk-" + made(30), "sk-" + made(31)

    scrubbed, _ = own.json({first: 1, second: 2, "kept": 3})

    assert scrubbed == {SECRET_MARKER: 1, f"{SECRET_MARKER} (2)": 2, "kept": 3}


def test_json_without_a_secret_is_the_same_object(full: Scrubber) -> None:
    value = {"tool_name": "Bash", "tool_input": {"command": "npm test"}, "n": [1, None, True, 2.5]}

    assert full.json(value).value is value


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        pytest.param("curl -u admin:{} https://x", "hunter2secret", id="credentials of curl"),
        pytest.param("é ü 漢字 {} 😀", "ghp_" + made(36), id="offsets are characters, not bytes"),
        pytest.param("k {}", "sk_live_" + made(24), id="a Stripe key"),
        pytest.param("{}", base64.b64encode(f"token: ghp_{made(36)}".encode()).decode(), id="a secret in base64"),
        pytest.param("SG.{}", f"{made(22)}.{made(43)}", id="SendGrid"),
    ],
)
def test_the_catalogue_knows_more(full: Scrubber, text: str, secret: str) -> None:
    scrubbed = full.json({"tool_output": [text.format(secret), "other"]}).value

    assert secret not in json.dumps(scrubbed, ensure_ascii=False)
    assert SECRET_MARKER in json.dumps(scrubbed)


def test_a_secret_after_odd_characters_is_cut_out_exactly(full: Scrubber) -> None:
    secret = "ghp_" + made(36)

    scrubbed = full.text(f"\ufeff\0a\0 é {secret} ü\0").text

    assert scrubbed == f"\ufeff\0a\0 é {SECRET_MARKER} ü\0"


SECRETS = st.sampled_from(
    [
        "ghp_" + made(36),
        "sk-ant-" + made(30),
        f"eyJ{made(20)}.{made(30)}.{made(43)}",
        "AKIA" + made(16, "ABCDEFGH234"),
        "password=",
        "token: ",
        "Bearer ",
        "secret='",
        "://u:",
        "@",
        "'",
        '"',
        " ",
        "\n",
        "<private>",
        "</private>",
        "=",
        SECRET_MARKER,
        PRIVATE_MARKER,
        "[REDACTED",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "sk-",
        "curl -u a:",
        "eyJ",
        "é",
        "AccountKey=",
        "x" * 30,
        made(20),
        "hunter2",
        "Authorization: Basic ",
    ]
)
HOSTILE = st.lists(SECRETS, max_size=14).map("".join)


@UNHURRIED
@given(HOSTILE)
def test_scrubbing_a_text_twice_is_scrubbing_it_once(full: Scrubber, text: str) -> None:
    once = full.text(text).text

    assert full.text(once) == (once, {})


@UNHURRIED
@given(st.dictionaries(HOSTILE | st.sampled_from(["password", "token"]), HOSTILE | st.lists(HOSTILE), max_size=4))
def test_scrubbing_json_twice_is_scrubbing_it_once(full: Scrubber, value: Any) -> None:
    once = full.json(value).value

    assert full.json(once) == (once, {})


@UNHURRIED
@given(ANY_JSON)
def test_any_json_keeps_its_shape(full: Scrubber, value: Any) -> None:
    cleaned = clean(value)

    scrubbed = full.json(cleaned).value

    assert clean(scrubbed) == scrubbed
    assert type(scrubbed) is type(cleaned)


def best_seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "password=",
        "password='a",
        "token: ",
        "eyJ",
        "eyJa.",
        "sk-",
        "sk-a",
        "ghp_",
        "://a:a",
        "://a:b@",
        "AKIAABCDEFGHIJKLMNOP ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "<private>",
        "</private>",
        "bearer ",
        "bearer\t\t",
        "a",
        " ",
        "authorization: basic ",
        'auth=\\"',
        "AccountKey=",
        "&sig=",
        'passwd""',
        "xoxb",
        "glpat-",
        "curl -u a:b ",
        "\ufeffé",
    ],
)
def test_time_grows_no_faster_than_the_text(full: Scrubber, unit: str) -> None:
    small = (unit * 125_000)[:125_000]
    large = (unit * 1_000_000)[:1_000_000]

    ratio = best_seconds(lambda: full.text(large)) / max(best_seconds(lambda: full.text(small)), 0.002)

    assert ratio < 32  # eight times the text; a quadratic rule would take 64 times as long


def test_threads_may_share_one_scrubber() -> None:
    scrubber = Scrubber(KingfisherCatalogue())
    secrets = ["ghp_" + made(36, seed=number) for number in range(40)]

    with ThreadPoolExecutor(8) as threads:
        scrubbed = list(threads.map(lambda secret: scrubber.text(f"a {secret} b").text, secrets))

    assert scrubbed == [f"a {SECRET_MARKER} b"] * 40
