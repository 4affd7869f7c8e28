"""Tests of the shipped data: how users of Markdown, Pygments and whitenoise meet errors."""

import os
import sys
import warnings
from types import ModuleType

import markdown
import whitenoise.storage
from django.core.management import call_command
from django.http import HttpResponse
from django.test import override_settings
from markdown.extensions.toc import TocExtension
from pygments import highlight
from pygments.formatters import HtmlFormatter, get_formatter_by_name
from pygments.lexers import PythonLexer, get_lexer_by_name, get_lexer_for_filename
from pygments.styles import get_style_by_name
from whitenoise import WhiteNoise

from tests.data.sightings import Frame, Sighting, Stage, frame_at


def provoke_markdown_extension_not_importable(stage: Stage) -> None:
    markdown.markdown("text", extensions=["markdown_no_such_extension"])


def provoke_markdown_extension_without_make_extension(stage: Stage) -> None:
    stage.patch.setitem(sys.modules, "shop_extension", ModuleType("shop_extension"))
    markdown.markdown("text", extensions=["shop_extension"])


def provoke_markdown_extension_wrong_type(stage: Stage) -> None:
    markdown.markdown("text", extensions=[TocExtension])


def provoke_markdown_registry_item_missing(stage: Stage) -> None:
    markdown.Markdown().inlinePatterns.deregister("emphasis")


def provoke_pygments_lexer_alias_not_found(stage: Stage) -> None:
    get_lexer_by_name("pyhton")


def provoke_pygments_lexer_filename_not_found(stage: Stage) -> None:
    get_lexer_for_filename("notes.unknown")


def provoke_pygments_formatter_not_found(stage: Stage) -> None:
    get_formatter_by_name("docx")


def provoke_pygments_style_not_found(stage: Stage) -> None:
    get_style_by_name("solarised")


def provoke_pygments_style_not_found__builtin(stage: Stage) -> None:
    stage.patch.setitem(sys.modules, "pygments.styles.monokai", None)
    get_style_by_name("monokai")


def provoke_pygments_formatter_class_passed(stage: Stage) -> None:
    highlight("x = 1", PythonLexer(), HtmlFormatter)


def provoke_whitenoise_no_directory(stage: Stage) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        WhiteNoise(HttpResponse(), root=stage.folder / "staticfiles")


def provoke_whitenoise_not_a_regular_file(stage: Stage) -> None:
    os.mkfifo(stage.folder / "log.pipe")
    WhiteNoise(HttpResponse(), root=stage.folder)


def provoke_whitenoise_css_reference_missing(stage: Stage) -> Sighting:
    """Collect a style sheet that names a missing picture.

    whitenoise makes this exception and hands it over; Django's collectstatic raises it. So the frame is the one
    that made it.
    """
    made_at: list[Frame] = []

    class MissingFileError(whitenoise.storage.MissingFileError):
        def __init__(self, message: str) -> None:
            super().__init__(message)
            caller = sys._getframe(1)
            made_at.append(frame_at(caller, caller.f_lineno))

    stage.patch.setattr(whitenoise.storage, "MissingFileError", MissingFileError)
    source = stage.folder / "source"
    (source / "css").mkdir(parents=True)
    (source / "css" / "site.css").write_text("h1 { background: url(../img/logo.png) }", "utf-8")
    storage = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    with override_settings(
        STATIC_ROOT=stage.folder / "collected",
        STATICFILES_DIRS=[source],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STORAGES={"staticfiles": {"BACKEND": storage}},
    ):
        try:
            call_command("collectstatic", interactive=False, verbosity=0)
        except whitenoise.storage.MissingFileError as error:
            return Sighting("MissingFileError", str(error), tuple(made_at))
    raise AssertionError("collectstatic raised nothing")
