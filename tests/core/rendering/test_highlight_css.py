import re
from pathlib import Path

import pytest

from errorkb.core.rendering import TOKEN_CLASSES

CSS = Path(__file__).parents[3] / "static" / "css"
STYLE = (CSS / "highlight.css").read_text(encoding="utf-8")
TOKENS = (CSS / "tokens.css").read_text(encoding="utf-8")

LIGHT, DARK = 0, 1
PAGES = {LIGHT: ["#ffffff", "#f6f7f9"], DARK: ["#14161a", "#1b1e24"]}
READABLE = 4.5
"""Contrast of text of any size, WCAG 2.2, success criterion 1.4.3."""


def pairs_in(style: str) -> dict[str, tuple[str, str]]:
    """Return the light and the dark colour of each custom property."""
    found = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    return {name: (light, dark) for name, light, dark in found}


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance)."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize("name", pairs_in(STYLE))
def test_every_colour_is_readable_wherever_code_stands(name: str, scheme: int) -> None:
    colour = pairs_in(STYLE)[name][scheme]
    papers = [pairs_in(TOKENS)[paper][scheme] for paper in ("paper", "surface", "raised", "throw-paper", "mark-paper")]
    assert min(contrast(colour, paper) for paper in PAGES[scheme] + papers) >= READABLE


def test_every_class_has_a_rule_and_every_rule_a_class() -> None:
    assert set(re.findall(r"\.highlight \.(\w+)", STYLE)) == TOKEN_CLASSES


def test_every_colour_is_used() -> None:
    assert set(re.findall(r"var\(--([\w-]+)\)", STYLE)) == set(pairs_in(STYLE))
