"""Scanning, Python: texts that are known but for their slots, and their form in documents."""

from collections.abc import Iterable
from typing import NamedTuple

from errorkb.core.message_templates import TemplateError, canonical_template, parse_message
from errorkb.scanning.python.recipes import Slot
from errorkb.scanning.sites import Placeholders, TextKnown, Wording

MOST_TEXTS = 16
MOST_PARTS = 500
MOST_LETTERS = 100_000

Piece = str | Slot


class Text(NamedTuple):
    """One text: literal pieces and slots. `style` and `message` where it is one format string of the source."""

    pieces: tuple[Piece, ...]
    style: Placeholders | None = None
    message: str = ""

    @property
    def has_words(self) -> bool:
        """Return whether there is more to it than slots and blanks."""
        return any(isinstance(piece, str) and not piece.isspace() for piece in self.pieces if piece)


def literal(text: str) -> Text:
    """Return a text without slots."""
    return Text((text,))


def unknown(name: str = "", suffix: str = "") -> Text:
    """Return a text that is one slot."""
    return Text((Slot(name, suffix),))


def joined(texts: Iterable[Text]) -> Text:
    """Return texts one after another as one; a single text stays what it is."""
    several = list(texts)
    if len(several) == 1:
        return several[0]
    pieces: list[Piece] = []
    for text in several:
        for piece in text.pieces:
            if pieces and isinstance(piece, str) and isinstance(pieces[-1], str):
                pieces[-1] += piece
            elif piece != "":
                pieces.append(piece)
    return Text(tuple(pieces[:MOST_PARTS]))


def formatted(message: str, style: Placeholders) -> Text:
    """Return a format string as a text; one that its style cannot read is literal."""
    try:
        parts = parse_message(message, style)
    except TemplateError:
        return literal(message)
    pieces = tuple(part.text if part.slot is None else Slot(_unnumbered(part.slot)) for part in parts)
    return Text(pieces, style, message)


def wordings_of(texts: Iterable[Text]) -> tuple[tuple[Wording, ...], TextKnown]:
    """Return the wordings of a site's texts, each once, and how much of its text is known."""
    wordings: dict[str, Wording] = {}
    unread = 0
    for text in texts:
        if not text.has_words:
            unread += 1
        elif len(wordings) < MOST_TEXTS:
            wording = wording_of(text)
            wordings.setdefault(wording.template, wording)
    if not wordings:
        return (), "none"
    return tuple(wordings.values()), "partly" if unread else "full"


def wording_of(text: Text) -> Wording:
    """Return a text's form in documents; a composed one is written as an f-string."""
    if text.style:
        message = _clean(text.message)
        return Wording(message, text.style, canonical_template(message, template=None, placeholders=text.style))
    if all(isinstance(piece, str) for piece in text.pieces):
        message = _clean("".join(text.pieces))  # type: ignore[arg-type]
        return Wording(message, None, _doubled(message))
    return _composed(text.pieces)


def _composed(pieces: tuple[Piece, ...]) -> Wording:
    """Write pieces as an f-string; an expression that would not be read back as itself becomes its number."""
    message: list[str] = []
    template: list[str] = []
    count = 0
    for piece in pieces:
        if isinstance(piece, str):
            text = _doubled(_clean(piece))
            message.append(text)
            template.append(text)
            continue
        simple = _is_simple(piece.name)
        slot = piece.name if simple else str(count)
        count += not simple
        message.append(f"{{{piece.name if simple or _reads_back(piece) else slot}{piece.suffix}}}")
        template.append(f"{{{slot}}}")
    return Wording("".join(message), "fstring", "".join(template))


def _reads_back(slot: Slot) -> bool:
    if not slot.name or "\\" in slot.name or "\n" in slot.name or "…" in slot.name:
        return False
    try:
        parts = parse_message(f"{{{slot.name}{slot.suffix}}}", "fstring")
    except TemplateError:
        return False
    return len(parts) == 1 and parts[0].slot == "0"


def _is_simple(name: str) -> bool:
    return name.isascii() and name.replace(".", "_").isidentifier() and ".." not in name


def _unnumbered(slot: str) -> str:
    return "" if slot.isdigit() else slot


def _doubled(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _clean(text: str) -> str:
    """Write what no document may hold (NUL, lone surrogates) the way that source writes it; cut what is endless."""
    if len(text) > MOST_LETTERS:
        text = text[:MOST_LETTERS]
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")
