"""Recall asked questions whose answers are known."""
