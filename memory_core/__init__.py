"""Everlore's core: everything between a hook event and the memory given back."""
