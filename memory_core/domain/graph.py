"""Values of the graph between extraction, storage and traversal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class NodeType(StrEnum):
    """What a node is (wire protocol, types.md section 3); without a model only file, concept, error and person are made."""

    FILE = "file"
    FUNCTION = "function"
    CONCEPT = "concept"
    ERROR = "error"
    DECISION = "decision"
    PATTERN = "pattern"
    LIBRARY = "library"
    PERSON = "person"
    PROJECT = "project"
    PREFERENCE = "preference"
    LOCATION = "location"
    ORGANIZATION = "organization"
    EVENT = "event"


class EdgeType(StrEnum):
    """How two nodes belong together; without a model only `related_to` is made."""

    USES = "uses"
    IMPORTS = "imports"
    MODIFIES = "modifies"
    CAUSES = "causes"
    FIXES = "fixes"
    DEPENDS_ON = "depends_on"
    RELATED_TO = "related_to"
    WORKS_AT = "works_at"
    PREFERS = "prefers"
    BLOCKED_BY = "blocked_by"
    CAUSED_BY = "caused_by"
    OPTIMIZES_FOR = "optimizes_for"
    REJECTED = "rejected"
    AVOIDS = "avoids"
    LOCATED_IN = "located_in"
    SUCCEEDED_BY = "succeeded_by"


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing: `key` is the name as nodes are looked up by it, `name` as it was written."""

    type: NodeType
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a record gives to the graph: distinct entities, and which of them belong together, by their places."""

    entities: tuple[Entity, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A node as the traversal reads it; `records`: how many name it."""

    name: str
    records: int


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge as the traversal reads it, by the ids of its nodes; `weight`: how firmly it is believed, 0 to 1."""

    source: int
    target: int
    records: int
    weight: float


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The part of the graph around a question; `starts`: node to how surely the question names it, 0 to 1."""

    starts: Mapping[int, float]
    nodes: Mapping[int, Seen]
    ties: Sequence[Tie]
    records: int
    """Records of the scope, by which it is judged how common a node is."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How near a node is to the question, above 0; `path`: the ids of the nodes from the question's entity to it."""

    score: float
    path: tuple[int, ...]
