"""Every table of the core, one subject a file."""

from .expansion import SynonymGroupUse
from .graph import GraphEdge, GraphEvidence, GraphNode, LinkBacklog, LinkedEntry
from .ledger import AccessLog, ActivityEvent, AuditEntry
from .memory import Memory
from .observation import Image, Observation, ObservationFingerprint
from .project import Project
from .recall import RecallLog, StreamWeights
from .search import (
    CorpusStatistic,
    EmbeddingBacklog,
    EmbeddingCache,
    EmbeddingSpace,
    EntryEmbedding,
    SearchEntry,
    TermStatistic,
)
from .session import Session

__all__ = [
    "AccessLog",
    "ActivityEvent",
    "AuditEntry",
    "CorpusStatistic",
    "EmbeddingBacklog",
    "EmbeddingCache",
    "EmbeddingSpace",
    "EntryEmbedding",
    "GraphEdge",
    "GraphEvidence",
    "GraphNode",
    "Image",
    "LinkBacklog",
    "LinkedEntry",
    "Memory",
    "Observation",
    "ObservationFingerprint",
    "Project",
    "RecallLog",
    "SearchEntry",
    "Session",
    "StreamWeights",
    "SynonymGroupUse",
    "TermStatistic",
]
