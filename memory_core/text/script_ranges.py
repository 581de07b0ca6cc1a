"""Which code points belong to which script, as bodies of regular-expression character classes.

Source: the Unicode Character Database (Scripts.txt, general categories L and M, version 17). The
standard library has no script property. A range may run over unassigned code points, never over
anything else. The prolonged sound mark of both kana counts as Katakana here, the tatweel as
Arabic.
"""

from __future__ import annotations

SCRIPT_RANGES: dict[str, str] = {
    "Latin": (
        "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02b8\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d5c"
        "\u1d62-\u1d65\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff\u2071\u207f\u2090-\u209f\u212a-\u212b\u2132"
        "\u214e\u2183-\u2184\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff\uab30-\uab5a\uab5c-\uab64"
        "\uab66-\uab69\uab6c-\uab6d\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a\U00010780-\U000107bf"
        "\U0001df00-\U0001dff2\U0001dff5-\U0001dfff"
    ),
    "Greek": (
        "\u0370-\u0373\u0376-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03f5\u03f7-\u03ff\u1d26-\u1d2a"
        "\u1d5d-\u1d61\u1d66-\u1d6a\u1dbf\u1f00-\u1fbc\u1fbe\u1fc2-\u1fcc\u1fd0-\u1fdb\u1fe0-\u1fec"
        "\u1ff2-\u1ffc\u2126\uab65\U0001d242-\U0001d244\U0001dff3-\U0001dff4"
    ),
    "Cyrillic": (
        "\u0400-\u0481\u0483-\u0484\u0487-\u052f\u1c80-\u1c8a\u1d2b\u1d78\u2de0-\u2dff\ua640-\ua672"
        "\ua674-\ua67d\ua67f-\ua69f\ufe2e-\ufe2f\U0001e030-\U0001e08f"
    ),
    "Armenian": "\u0531-\u0559\u0560-\u0588\u058b-\u058c\ufb13-\ufb17",
    "Hebrew": "\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05f2\ufb1d-\ufb28\ufb2a-\ufb4f",
    "Arabic": (
        "\u0610-\u061a\u0620-\u064a\u0656-\u065f\u066e-\u066f\u0671-\u06d3\u06d5-\u06dc"
        "\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06fc\u06ff\u0750-\u077f\u0870-\u0887\u0889-\u088f"
        "\u0897-\u08e1\u08e3-\u08ff\ufb50-\ufbb1\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb"
        "\ufe70-\ufefc\U00010ec2-\U00010ec7\U00010ecb-\U00010ecf\U00010ed9-\U00010eff"
        "\U0001ee00-\U0001eebb"
    ),
    "Devanagari": "\u0900-\u0950\u0955-\u0963\u0971-\u097f\ua8e0-\ua8f7\ua8fb\ua8fd-\ua8ff\U00011b0a",
    "Bengali": "\u0980-\u09e3\u09f0-\u09f1\u09fc\u09fe\U00011df0-\U00011df1",
    "Gurmukhi": "\u0a01-\u0a5e\u0a70-\u0a75",
    "Gujarati": "\u0a81-\u0ae3\u0af9-\u0aff",
    "Oriya": "\u0b01-\u0b63\u0b71",
    "Tamil": "\u0b82-\u0bd7",
    "Telugu": "\u0c00-\u0c63",
    "Kannada": "\u0c80-\u0c83\u0c85-\u0ce3\u0cf1-\u0cf3",
    "Malayalam": "\u0d00-\u0d4e\u0d54-\u0d57\u0d5f-\u0d63\u0d7a-\u0d7f",
    "Sinhala": "\u0d81-\u0ddf\u0df2-\u0df3",
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ece\u0edc-\u0edf",
    "Tibetan": "\u0f00\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6",
    "Myanmar": "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f",
    "Georgian": "\u10a0-\u10fa\u10fc-\u10ff\u1c90-\u1cbf\u2d00-\u2d2d",
    "Hangul": "\u1100-\u11ff\u302e-\u302f\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uffa0-\uffdc",
    "Ethiopic": "\u1200-\u135f\u1380-\u138f\u2d80-\u2dde\uab01-\uab2e\U0001e7e0-\U0001e7fe",
    "Khmer": "\u1780-\u17d3\u17d7\u17dc-\u17dd",
    "Mongolian": "\u180b-\u180d\u180f\u1820-\u18aa",
    "Hiragana": "\u3041-\u3096\u309d-\u309f\U0001b001-\U0001b11f\U0001b123\U0001b132-\U0001b152",
    "Katakana": (
        "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d\U0001aff0-\U0001b000\U0001b120-\U0001b122"
        "\U0001b124-\U0001b128\U0001b155-\U0001b168"
    ),
    "Han": (
        "\u3005\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9\U00016fe3\U00016ff0-\U00016ff3"
        "\U00020000-\U0002ee5d\U0002f800-\U0002fa1d\U00030000-\U00033479"
    ),
    "Bopomofo": "\u3105-\u312f\u31a0-\u31bf",
}
"""Script name of the standard -> class body. The order is the order in which a match is tried."""

MARK_RANGES = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7-\u05c9"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07b0"
    "\u07eb-\u07f3\u07fd\u0816-\u082d\u0859-\u085b\u0897-\u08e1\u08e3-\u0963\u0981-\u09e3"
    "\u09fe-\u0a51\u0a70-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83"
    "\u0cbc-\u0ce3\u0cf3-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0ddf\u0df2-\u0df3\u0e31-\u0e3a"
    "\u0e47-\u0e4e\u0eb1-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6"
    "\u102b-\u103e\u1056-\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3\u17dd"
    "\u180b-\u180d\u180f\u1885-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73"
    "\u1b80-\u1bad\u1be6-\u1bf3\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1"
    "\u2d7f-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1"
    "\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua9c0\ua9e5"
    "\uaa29-\uaa4d\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e"
    "\ufe00-\ufe0f\ufe20-\ufe2f\U000101fd-\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a3f"
    "\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac"
    "\U00010ecb-\U00010ecf\U00010ef0-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85"
    "\U00011000-\U00011046\U00011070-\U000110ba\U000110c2\U00011100-\U00011134\U00011145-\U00011173"
    "\U00011180-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237"
    "\U0001123e-\U00011241\U000112df-\U000112ea\U00011300-\U000113d2\U000113e1-\U00011446"
    "\U0001145e-\U000114c3\U000115af-\U000115c0\U000115dc-\U00011640\U000116ab-\U000116b7"
    "\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011943\U000119d1-\U000119e0"
    "\U000119e4-\U00011a3e\U00011a47-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c3f"
    "\U00011c92-\U00011d47\U00011d8a-\U00011d97\U00011df0-\U00011ef6\U00011f00-\U00011f42\U00011f5a"
    "\U00013440-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36"
    "\U00016f4f-\U00016f92\U00016fe4-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf46"
    "\U0001d127-\U0001d128\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182"
    "\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001d250-\U0001d252"
    "\U0001d25b-\U0001d25c\U0001d25f\U0001d280-\U0001d281\U0001da00-\U0001da36\U0001da3b-\U0001da6c"
    "\U0001da75\U0001da84\U0001da9b-\U0001daaf\U0001e000-\U0001e136\U0001e2ae-\U0001e2ef"
    "\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3-\U0001e6f5\U0001e8d0-\U0001e94a"
    "\U000e0100-\U000e01ef"
)
"""Combining marks (categories Mn, Mc, Me), which `\\w` leaves out although they are parts of words."""
