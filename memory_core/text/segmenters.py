"""Words of scripts that are written without spaces, behind one small port.

Each segmenter is loaded at its first word, once a process, and not at import: jieba's dictionary
takes a second, Korean's model 6.5 s and 530 MB. What a segmenter gives is added to the single
characters and character pairs that the analyzer always makes, so no recall depends on it.
"""

from __future__ import annotations

import importlib.util
import logging
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Protocol

from memory_core.domain.errors import ConfigurationError
from memory_core.text.script_ranges import SCRIPT_RANGES

_HAN = re.compile(f"[\u3007{SCRIPT_RANGES['Han']}]{{2,}}")
_KANA = re.compile(f"[{SCRIPT_RANGES['Hiragana']}{SCRIPT_RANGES['Katakana']}]")
_HANGUL = re.compile(f"[{SCRIPT_RANGES['Hangul']}]")


class Segmenter(Protocol):
    """Finds words in one run of unspaced script."""

    name: str

    def words(self, run: str) -> list[str]:
        """Words of `run`; none when the run is of a language this segmenter does not know."""
        ...


class ChineseWords:
    """All words of jieba's dictionary in a run of Han characters, at every position.

    jieba's search mode chooses one segmentation of a sentence, and another one for a part of the
    sentence, so a query's words need not be words of the text it was copied from. Every dictionary
    word at every position (jieba's word graph, what its full mode is made of) depends on the
    characters of the word alone.
    """

    name = "zh-jieba"

    _lock = threading.Lock()
    _tokenizer: ClassVar[Any] = None

    def words(self, run: str) -> list[str]:
        found = []
        for han in _HAN.findall(run):
            for start, ends in self._loaded().get_DAG(han).items():
                found += [han[start : end + 1] for end in ends if end > start]
        return found

    @classmethod
    def _loaded(cls) -> Any:
        if cls._tokenizer is None:
            with cls._lock:
                if cls._tokenizer is None:
                    cls._tokenizer = cls._load()
        return cls._tokenizer

    @staticmethod
    def _load() -> Any:
        with warnings.catch_warnings():  # its regular expressions are from 2020
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.simplefilter("ignore", SyntaxWarning)
            import jieba

        jieba.setLogLevel(logging.WARNING)
        tokenizer = jieba.Tokenizer()
        # Not initialize(): it reads, and trusts, a marshalled cache from the shared temporary folder.
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
        tokenizer.initialized = True
        return tokenizer


class JapaneseWords:
    """Content words of a run with kana, as written and in dictionary form (MeCab with UniDic)."""

    name = "ja-unidic-lite"
    _FUNCTION_WORDS = frozenset({"助詞", "助動詞", "補助記号", "記号", "空白"})

    _local = threading.local()

    def words(self, run: str) -> list[str]:
        if not _KANA.search(run):
            return []
        found = []
        for token in self._tagger()(run):
            if token.feature.pos1 in self._FUNCTION_WORDS:
                continue
            lemma = (token.feature.lemma or token.surface).partition("-")[0]
            found += [token.surface] if lemma == token.surface else [token.surface, lemma]
        return found

    def _tagger(self) -> Any:
        if not hasattr(self._local, "tagger"):  # a tagger holds the state of one parse: one a thread
            import fugashi

            self._local.tagger = fugashi.Tagger()
        return self._local.tagger


class KoreanWords:
    """Nouns, verbs and other content morphemes of a run of Hangul (Kiwi)."""

    name = "ko-kiwi"
    _CONTENT_TAGS = ("N", "V", "MA", "XR", "SL")

    _lock = threading.Lock()
    _kiwi: ClassVar[Any] = None

    def words(self, run: str) -> list[str]:
        if not _HANGUL.match(run):
            return []
        with self._lock:
            if self._kiwi is None:
                import kiwipiepy

                KoreanWords._kiwi = kiwipiepy.Kiwi(num_workers=1)
        return [token.form for token in self._kiwi.tokenize(run) if token.tag.startswith(self._CONTENT_TAGS)]


SEGMENTERS: dict[str, tuple[Callable[[], Segmenter], tuple[str, ...]]] = {
    "zh": (ChineseWords, ("jieba",)),
    "ja": (JapaneseWords, ("fugashi", "unidic_lite")),
    "ko": (KoreanWords, ("kiwipiepy",)),
}
"""Language -> the segmenter and the packages it needs."""


def available_segmenters() -> Iterator[str]:
    """Languages whose packages are installed; nothing is imported for the answer."""
    for language, (_, packages) in SEGMENTERS.items():
        if all(importlib.util.find_spec(package) for package in packages):
            yield language


def load_segmenter(language: str) -> Segmenter:
    """Make the segmenter of a language, still unloaded.

    Raises ConfigurationError for a language without one or without its packages.
    """
    if language not in SEGMENTERS:
        raise ConfigurationError(f"There is no segmenter for {language!r}; there is one for {', '.join(SEGMENTERS)}.")
    make, packages = SEGMENTERS[language]
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    if missing:
        raise ConfigurationError(
            f"The segmenter for {language!r} needs {', '.join(missing)}: pip install 'everlore[{language}]'."
        )
    return make()
