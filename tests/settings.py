"""Settings of the tests: a database server of this run's own, models and rules prepared once a checkout."""

import os
import tempfile
from pathlib import Path

CACHE = Path(os.environ.get("EVERLORE_TEST_CACHE") or Path(__file__).resolve().parent.parent / ".cache" / "tests")
RUN = Path(tempfile.gettempdir()) / f"everlore-tests-{os.getpid()}"
RUN.mkdir(mode=0o755, exist_ok=True)
for name in [name for name in os.environ if name.startswith(("EVERLORE_", "AGENTMEMORY_", "III_"))]:
    if name not in ("EVERLORE_TEST_CACHE", "EVERLORE_TRANSCRIPTS", "EVERLORE_POSTGRES_BIN"):
        del os.environ[name]
os.environ.pop("DATABASE_URL", None)
os.environ.pop("AGENT_ID", None)
os.environ["EVERLORE_DATA_DIR"] = str(RUN)
os.environ["EVERLORE_ENV_FILE"] = os.devnull
os.environ["EVERLORE_RERANKER_MODEL"] = "none"  # what is on a machine must not change what a test sees

from memory_core.settings import *  # noqa: E402, F403

MODELS_DIR = CACHE / "models"
SECRET_RULES_DIR = CACHE / "secret-rules"
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
