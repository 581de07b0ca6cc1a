"""Write small files so that a reader, a crash or a planted link never meets half of one."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from workers.postgres.account import Account


def replace_text(path: Path, text: str, account: Account) -> None:
    """Put `text` in place of the file `path`, owned by `account`, mode 0600.

    A new file takes its name: where `path` is a symbolic link, the link goes and what it pointed to stays as it was,
    which matters to root writing into a folder of another user. Raises OSError.
    """
    descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.fsencode(text))
            if account.switch:
                os.fchown(file.fileno(), account.uid, account.gid)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` survive a power failure; Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
