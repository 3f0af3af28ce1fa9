"""Regulation in prose → rules: what a text demands of whoever calls the tools, as LTLf with its source."""
