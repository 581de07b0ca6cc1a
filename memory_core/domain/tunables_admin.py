"""Numbers of the admin: bounds that keep its pages quick however much is stored."""

MOST_PAGED = 10_000
"""Rows a list pages through, newest first; filters and searches reach the others. Unit: rows. Counting more would read
the whole table for every page."""

MOST_SEARCHED = 10_000
"""Newest rows that a search without an index looks at; unit: rows."""

MOST_FOUND = 200
"""Records that a search by words lists; unit: records, best first."""

PER_PAGE = 50
"""Rows on one page of a list; unit: rows."""

TITLE_CHARACTERS = 120
"""Characters of a title in a list; the rest is on the record's own page. Unit: characters."""

JSON_CHARACTERS = 100_000
"""Characters of a payload shown; a browser lays out a longer one slowly. Unit: characters."""

MOST_CHOICES = 100
"""Projects, or values, that a filter offers; unit: choices."""

MOST_LISTED = 200
"""Lines of a list shown on a record's page, or of records on a page that asks before forgetting; unit: lines."""

MOST_CONTENT = 1_000_000
"""Longest content of a memory, as over REST; unit: characters."""

MOST_TITLE = 500
"""Longest title of a memory, as over REST; unit: characters."""

MOST_TERM = 1000
"""Longest search term that is read; unit: characters."""

MOST_FORGOTTEN = 1000
"""Records that one action of a list forgets; unit: records. The page that asks posts one field a record, and a server
takes no more than 10,000."""
