"""What the tests of the REST surface stand on, for those who ask for it."""

from tests.api.conftest import configure, own_images, owner, words_only

__all__ = ["configure", "own_images", "owner", "words_only"]
