"""Core: names of code that stand in Markdown prose: in code spans, and as words that can be nothing else."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errorkb.core.word_checks.known_words import COMMON_FLAGS, OF_OTHERS, PROGRAMS
from errorkb.core.word_checks.names import LONGEST_NAME, Name, dotted_name, flag_name, is_camel

_POSSESSIVE = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]++['’]s\b")
_FLAG = re.compile(r"(--[A-Za-z][A-Za-z0-9]*+(?:[-_][A-Za-z0-9]++)*+)(?:=.*+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?:\.[A-Za-z_][A-Za-z0-9_]*+)*+")
# What stands between white space, brackets, quotes and other letters than ours.
_CHUNK = re.compile(r"[!#$%&+\-./0-9:<=>?@A-Z\\^_a-z{}~]++")
_FENCE = re.compile(r" {0,3}(`{3,}+|~{3,}+)[ \t]*+([^\s`{]*+)")
_TICKS = re.compile(r"`++")
_SENTENCE_END = re.compile(r"[.!?;]\s|\n")
_QUOTES = "\"'“”‘’"
# Stands in the text where a code span was.
_SPAN = "\0"


@dataclass(frozen=True)
class ProseParts:
    """Markdown taken apart: sentences; what stands between backquotes, each with its sentence; (language, code)."""

    sentences: tuple[str, ...]
    spans: tuple[tuple[str, str], ...]
    fences: tuple[tuple[str, str], ...]


def prose_parts(markdown: str) -> ProseParts:
    """Take Markdown apart."""
    lines, fences = _without_fences(markdown)
    text, spans = _without_spans("\n".join(lines).replace(_SPAN, " "))
    sentences = tuple(_SENTENCE_END.split(text))
    of_spans = (sentence for sentence in sentences for _ in range(sentence.count(_SPAN)))
    return ProseParts(sentences, tuple(zip(spans, of_spans, strict=True)), fences)


def names_in_sentence(sentence: str) -> Iterator[Name]:
    """Yield names of code among plain words."""
    if not is_about_others(sentence):
        for chunk in _CHUNK.finditer(sentence):
            yield from _chunk_names(sentence, chunk, in_span=False)


def names_in_span(span: str, sentence: str) -> Iterator[Name]:
    """Yield the name that a code span is, or the options that it begins with, if its sentence is not about others."""
    chunks = list(_CHUNK.finditer(span))
    is_name = len(chunks) == 1 or (bool(chunks) and chunks[0][0].startswith("--"))
    if is_name and not is_about_others(sentence):
        for chunk in chunks:
            yield from _chunk_names(span, chunk, in_span=True)


def names_in_command(text: str, own: frozenset[str]) -> Iterator[Name]:
    """Yield the options of commands that are the source's own, one a line: `python -m own.server --port 1`."""
    for line in text.replace("\\\n", " ").split("\n"):
        words = line.split()
        if _runs_own(words, own):
            flags = (_FLAG.fullmatch(word) for word in words)
            yield from (flag_name(found[1]) for found in flags if found and found[1] not in COMMON_FLAGS)


def is_about_others(sentence: str) -> bool:
    """Say whether a sentence speaks of other programs, packages or "Sphinx's" things, whose names are not ours."""
    words = {word.strip(".:").lower() for word in _CHUNK.findall(sentence)}
    return not words.isdisjoint(PROGRAMS | OF_OTHERS) or bool(_POSSESSIVE.search(sentence))


def _runs_own(words: list[str], own: frozenset[str]) -> bool:
    """Say whether a line runs a program of the source, or a module of it."""
    words = [word for word in words if "=" not in word or word.startswith("-")]
    while words and words[0] in ("$", "sudo", "time", "exec"):
        words = words[1:]
    if len(words) > 2 and words[0].startswith("python") and words[1] == "-m":
        return words[2].partition(".")[0].lower() in own
    first = re.split(r"[-_.]", words[0].rpartition("/")[2])[0].lower() if words else ""
    return first in own


def _chunk_names(text: str, chunk: re.Match[str], *, in_span: bool) -> Iterator[Name]:
    before, after = text[max(0, chunk.start() - 1) : chunk.start()], text[chunk.end() : chunk.end() + 1]
    word = chunk[0].rstrip(".:!?")
    if after != "(" and word.isalpha() and word[1:].islower():
        return
    flag = _FLAG.fullmatch(word)
    if flag:
        yield from () if flag[1] in COMMON_FLAGS else (flag_name(flag[1]),)
        return
    is_quoted = bool(before) and before in _QUOTES and bool(after) and after in _QUOTES
    if is_quoted or len(word) > LONGEST_NAME or not _NAME.fullmatch(word):
        return
    is_call = after == "(" and chunk[0] == word
    found = dotted_name(word, is_call=is_call)
    if found and (in_span or is_call or "." in word or not is_camel(word) or _is_surely_class(word)):
        yield found


def _is_surely_class(word: str) -> bool:
    """Say whether a word in plain prose is a class's name, and not a product's or a format's."""
    return len(re.findall(r"[A-Z]+[a-z0-9]+", word)) >= 3


def _without_fences(markdown: str) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Return the lines outside of fences, and what is in them: https://spec.commonmark.org/0.31.2/#fenced-code-blocks."""
    plain: list[str] = []
    fences: list[tuple[str, str]] = []
    code: list[str] = []
    fence = language = ""
    for line in markdown.replace("\r\n", "\n").split("\n"):
        found = _FENCE.match(line)
        if fence and found and found[1].startswith(fence) and not line[found.end(1) :].strip():
            fences.append((language, "\n".join(code)))
            fence = ""
        elif fence:
            code.append(line)
        elif found:
            fence, language, code = found[1], found[2].lower(), []
        else:
            plain.append(line)
    return plain, (*fences, *([(language, "\n".join(code))] if fence else []))


def _without_spans(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with a sign in place of each code span, and those: https://spec.commonmark.org/0.31.2/#code-spans."""
    runs = list(_TICKS.finditer(text))
    closing = _closing(runs)
    plain: list[str] = []
    spans: list[str] = []
    at = number = 0
    while number < len(runs):
        end = closing[number]
        if end >= 0:
            plain += [text[at : runs[number].start()], _SPAN]
            spans.append(text[runs[number].end() : runs[end].start()].strip())
            at, number = runs[end].end(), end
        number += 1
    return "".join([*plain, text[at:]]), tuple(spans)


def _closing(runs: list[re.Match[str]]) -> list[int]:
    """Return for each run of backquotes the next one of its length, -1 where none follows."""
    closing = [-1] * len(runs)
    last: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = len(runs[number][0])
        closing[number] = last.get(length, -1)
        last[length] = number
    return closing
