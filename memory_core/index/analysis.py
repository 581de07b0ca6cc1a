"""The one analyzer of this process, with the segmenters that the settings name and the machine has."""

from __future__ import annotations

import importlib.util
import logging
from functools import cache

from django.conf import settings

from memory_core.text.analyzer import Analyzer

logger = logging.getLogger("everlore.index")

LANGUAGE_OF = {"jieba": "zh", "fugashi": "ja", "kiwi": "ko"}
PACKAGE_OF = {"jieba": "jieba", "fugashi": "fugashi", "kiwi": "kiwipiepy"}


@cache
def analyzer() -> Analyzer:
    """Documents and questions are analysed by this one; a missing segmenter is said once, pairs of characters serve."""
    present = [name for name in settings.EVERLORE["EVERLORE_SEGMENTERS"] if importlib.util.find_spec(PACKAGE_OF[name])]
    for name in settings.EVERLORE["EVERLORE_SEGMENTERS"]:
        if name not in present:
            logger.info("The segmenter %s is not installed; its language is searched by pairs of characters.", name)
    return Analyzer([LANGUAGE_OF[name] for name in present])
