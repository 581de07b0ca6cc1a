"""Numbers of the capture stage: limits of what is accepted, stored and shown."""

from __future__ import annotations

from memory_core.domain.events import ObservationType

# payload ---------------------------------------------------------------------------------------

MAX_JSON_DEPTH = 100
"""Levels of nesting. The deepest real payload seen in the protocol has 6; every later stage may rely on it."""

MAX_INTEGER_DIGITS = 4300
"""Decimal digits. CPython writes no longer integer as text (`sys.int_info`); jsonb's numeric takes 131072."""

# scrub -----------------------------------------------------------------------------------------

MAX_SCRUB_PASSES = 6
"""Passes until a text that still changes is given up and redacted whole. Two are enough for every catalogued secret."""

MIN_SENSITIVE_VALUE = 8
"""Characters. Shorter strings under a sensitive key are kinds and flags (`"token": "csrf"`), not secrets."""

MIN_ASSIGNED_SECRET = 20
"""Characters. Wire protocol, category 1: the shortest value of `token=` that is redacted."""

MIN_ASSIGNED_PASSWORD = 6
"""Characters. People's passwords are shorter than machines' tokens."""

AWS_PAIR_WINDOW = 512
"""Characters around an AWS key id in which its 40-character secret is looked for; a credentials file needs 90."""

PEM_WINDOW = 32_768
"""Characters between BEGIN and END of one private key. A 16384-bit RSA key in PEM has 12,700."""

# images ----------------------------------------------------------------------------------------

MIN_IMAGE_BASE64 = 16
"""Characters. A shorter base64 text cannot hold the header of any image format."""

# compress --------------------------------------------------------------------------------------

TITLE_LIMIT = 80
"""UTF-16 units, as the protocol's clients count them (types.md section 1)."""

SUBTITLE_LIMIT = 120
"""UTF-16 units (types.md section 1)."""

NARRATIVE_LIMIT = 400
"""UTF-16 units (types.md section 1)."""

CONCEPT_LIMIT = 12
"""Concepts of one observation. Each concept makes graph edges; 12 is also the protocol's edge cap."""

CONCEPT_LENGTH = 64
"""Characters. Longer identifiers are generated or encoded, not concepts."""

CONCEPT_SCAN = 20_000
"""Characters of prompt, input and output each that are read for concepts, so that capture stays linear and short."""

FACT_LIMIT = 5
"""Error lines kept as facts."""

FACT_LENGTH = 300
"""UTF-16 units of one fact."""

FILE_LIMIT = 50
"""Files of one observation. A larger change is described by its commit."""

FILE_LENGTH = 511
"""Characters of one path (algorithms.md section 4)."""

NESTED_JSON_LIMIT = 65_536
"""Characters. Some clients send the tool's input as JSON in a string; longer strings are not parsed for their keys."""

SYNTHETIC_CONFIDENCE = 0.3
"""0..1. Wire protocol: how far an observation made without a model is trusted."""

IMPORTANCE: dict[ObservationType, int] = {
    ObservationType.DECISION: 8,
    ObservationType.ERROR: 7,
    ObservationType.DISCOVERY: 7,
    ObservationType.FILE_EDIT: 6,
    ObservationType.FILE_WRITE: 6,
    ObservationType.CONVERSATION: 6,
    ObservationType.COMMAND_RUN: 5,
    ObservationType.SUBAGENT: 5,
    ObservationType.TASK: 5,
    ObservationType.IMAGE: 5,
    ObservationType.OTHER: 5,
    ObservationType.WEB_FETCH: 4,
    ObservationType.SEARCH: 3,
    ObservationType.FILE_READ: 3,
    ObservationType.NOTIFICATION: 2,
}
"""1..10 by kind, around the protocol's 5: what changed the work or went wrong over what was only looked at."""

IMPORTANCE_STANDING_WISH = 8
"""A prompt that states a lasting wish or a decision ("always", "never", "we decided")."""

IMPORTANCE_ACKNOWLEDGEMENT = 3
"""A prompt too short to mean anything without the one before ("ok", "go on")."""

IMPORTANCE_COMMIT = 7
"""A command that records or undoes work in version control."""

IMPORTANCE_TROUBLE = 6
"""A command whose output has error lines although it is not known to have failed."""

IMPORTANCE_TELEMETRY = 2
"""Events of the agent's own machinery: token counts, selected models, session states."""

ACKNOWLEDGEMENT_LENGTH = 16
"""Characters of an acknowledgement at most; 'yes, go ahead' has 13. Scripts without spaces say more in fewer."""

TROUBLE_SCAN = 20_000
"""Characters at the head and at the tail of an output that are read for error lines; tools print errors last."""

LEAD_SEEN = 4_000
"""Characters of a text in which the words of its title are looked for, line breaks aside; unit: characters. A title is made
of the text's first words or of its first named argument."""
