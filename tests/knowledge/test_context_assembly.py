"""Assembling a context keeps its budget, whatever the blocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from memory_core.knowledge.context import Block, assemble
from memory_core.present.budget import tokens

START = datetime(2026, 3, 1, tzinfo=UTC)

blocks = st.lists(
    st.builds(
        Block,
        text=st.text("ab \n<", max_size=300),
        recency=st.integers(0, 50).map(lambda hours: START + timedelta(hours=hours)),
        ids=st.tuples(st.sampled_from(["mem_1", "obs_1"])),
    ),
    max_size=12,
)
budgets = st.integers(1, 800)


@given(blocks, budgets)
@example([Block("a" * 30, START, ())] * 12, 180)
def test_the_whole_text_fits(given_blocks: list[Block], budget: int) -> None:
    context = assemble(given_blocks, "orchard", budget)

    assert tokens(context.text) <= context.tokens <= budget or context.text == ""


@given(blocks, budgets)
def test_what_is_chosen_stands_newest_first(given_blocks: list[Block], budget: int) -> None:
    numbered = [replace(block, ids=(str(number),)) for number, block in enumerate(given_blocks)]

    context = assemble(numbered, "orchard", budget)

    newest_first = iter(block.ids[0] for block in sorted(numbered, key=lambda block: block.recency, reverse=True))
    assert len(context.ids) == context.blocks
    assert all(id in newest_first for id in context.ids)  # each is looked for behind the one before


@given(blocks, budgets)
def test_more_budget_never_gives_less(given_blocks: list[Block], budget: int) -> None:
    if all(len(block.text) == len(given_blocks[0].text) for block in given_blocks):
        smaller = assemble(given_blocks, "orchard", budget)
        larger = assemble(given_blocks, "orchard", budget + 50)

        assert larger.blocks >= smaller.blocks


@given(blocks)
def test_with_room_for_all_all_are_given(given_blocks: list[Block]) -> None:
    context = assemble(given_blocks, "orchard", 10**6)

    assert context.blocks == len(given_blocks)
    assert len(context.ids) == len(given_blocks)
