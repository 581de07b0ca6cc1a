"""Pure text analysis for retrieval, in any language: terms, BM25, synonyms, similarity, chunks.

Importing this package imports no segmenter: jieba, MeCab and Kiwi load at their first word.
"""

from memory_core.text.analyzer import Analysis, Analyzer

__all__ = ["Analysis", "Analyzer"]
