"""Everlore under load: how fast it answers, what an answer costs in CPU, how large its processes are."""
