"""Scanning: source code to facts about its throw sites; knows no Django and writes nothing."""
