"""Scanning, Python: one blob to facts: its throw sites, and what linking needs to know of it."""

import ast
from collections.abc import Iterable, Iterator

from errorkb.scanning.python.codes import code_of
from errorkb.scanning.python.conditions import Conditions
from errorkb.scanning.python.evaluation import Evaluation
from errorkb.scanning.python.excerpts import excerpt
from errorkb.scanning.python.facts import HelperCall, ModuleFacts, Parameters, Waiting
from errorkb.scanning.python.functions import parameters_of
from errorkb.scanning.python.modules import Offers, asked_classes, asked_constants, asked_functions, offers_of
from errorkb.scanning.python.reading import Reader
from errorkb.scanning.python.recipes import (
    NOTHING,
    Call,
    Caught,
    Choice,
    Default,
    Percent,
    Recipe,
    Reference,
    is_closed,
    names_in,
)
from errorkb.scanning.python.scopes import Scope
from errorkb.scanning.python.sources import Source, SourceError, collector_paused, dotted_name
from errorkb.scanning.python.texts import Text, wordings_of
from errorkb.scanning.python.throwing import BUILTIN_EXCEPTIONS, given_by, text_of_arguments
from errorkb.scanning.python.visiting import HELPER_NAME, Sighting, Visitor
from errorkb.scanning.sites import FileFacts, ScanProblem, ThrowSite

# Rises whenever the same blob would give other facts.
EXTRACTOR_VERSION = 2


def extract(source: bytes, path: str) -> FileFacts:
    """Return what one blob of Python says by itself: its throw sites, and what waits for the rest of its tree.

    Never raises for what is in the blob: one that is not to be decoded, does not parse or is too large gives facts
    with a problem and no sites.
    """
    with collector_paused():
        try:
            return _Extraction(Source(source), path).facts()
        except SourceError as error:
            return FileFacts(path, problem=ScanProblem(path, error.line, str(error)))
        except (RecursionError, MemoryError):
            return FileFacts(path, problem=ScanProblem(path, 0, "the file is nested too deeply to be read"))


class _Extraction:
    def __init__(self, source: Source, path: str) -> None:
        self._source = source
        self._path = path
        self._module = Scope(source.tree.body, "", None, "", None)
        self._offers: Offers = offers_of(self._module, source)
        self._conditions = Conditions(source)
        self._waiting: list[Waiting] = []

    def facts(self) -> FileFacts:
        warn_names, exit_names = self._names_of("warnings", "warn"), self._names_of("sys", "exit")
        visitor = Visitor(self._source, self._module, warn_names, exit_names | {"exit"})
        visitor.visit()
        sites: list[ThrowSite] = []
        for sighting in visitor.sightings:
            sites += self._site(sighting, len(sites))
        calls = tuple(self._helper_calls(visitor))
        lines = len(self._source.lines) - (not self._source.lines[-1])
        return FileFacts(self._path, lines, tuple(sites), self._module_facts(calls))

    def _names_of(self, module: str, function: str) -> frozenset[str]:
        imports = self._offers.imports.items()
        return frozenset(name for name, (_, source, wanted) in imports if (source, wanted) == (module, function))

    def _site(self, sighting: Sighting, number: int) -> Iterator[ThrowSite]:
        """Yield the site of a sighting; nothing for an exception that is only raised again."""
        read = _READ[sighting.form](self, sighting)
        if read is None:
            return
        exception_type, recipe, closed = read
        wordings, known = wordings_of(self._texts(recipe, sighting, exception_type) if closed else ())
        if sighting.form == "exit" and closed and not wordings:
            return
        parameters = self._helper_parameters(sighting, recipe)
        scope = sighting.place.scope
        if parameters or not closed:
            helper = scope.symbol if parameters else ""
            self._waiting.append(Waiting(number, recipe, sighting.form == "raise", helper, parameters))
        line, end_line = sighting.lines()
        snippet_start, snippet = excerpt(self._source, line, end_line)
        yield ThrowSite(
            kind=sighting.kind,
            exception_type=exception_type,
            wordings=wordings,
            text=known,
            path=self._path,
            line=line,
            end_line=end_line,
            symbol=scope.symbol,
            code=self._code(sighting),
            conditions=self._conditions.of(sighting.place, self._claim(sighting.node)),
            signature=scope.signature(self._source),
            snippet_start=snippet_start,
            snippet=snippet,
        )

    def _claim(self, node: ast.AST) -> str:
        if not isinstance(node, ast.Assert) or isinstance(node.test, ast.Constant):
            return ""
        return self._conditions.negated(node.test)

    def _code(self, sighting: Sighting) -> str:
        node = sighting.node
        call = node.exc if isinstance(node, ast.Raise) else node
        around = self._offers.classes.get(sighting.place.scope.class_around())
        return code_of(call, around) if isinstance(call, ast.Call) else ""

    def _texts(self, recipe: Recipe, sighting: Sighting, exception_type: str) -> list[Text]:
        evaluation = Evaluation()
        if sighting.form == "raise":
            if not isinstance(recipe, Call):
                return []
            return text_of_arguments(given_by(recipe, evaluation), exception_type)
        return evaluation.texts(recipe)

    def _read_raise(self, sighting: Sighting) -> tuple[str, Recipe, bool] | None:
        """Return type and recipe of what is raised; None for a caught exception that is raised as it came."""
        exception: ast.expr = sighting.node.exc  # type: ignore[union-attr, assignment]
        recipe = Reader(self._source).read(exception, sighting.place)
        if _is_caught(recipe):
            return None
        function = recipe.function if isinstance(recipe, Call) else recipe
        name = function.names[0] if isinstance(function, Reference) and len(function.names) == 1 else ""
        builtin = name in BUILTIN_EXCEPTIONS and not self._offers.holds(name)
        if not builtin:
            return "", recipe, False
        values = (*recipe.arguments, *dict(recipe.keywords).values()) if isinstance(recipe, Call) else ()
        return name, recipe, all(map(is_closed, values))

    def _read_assert(self, sighting: Sighting) -> tuple[str, Recipe, bool]:
        message = sighting.node.msg  # type: ignore[union-attr]
        if isinstance(message, ast.Tuple) and message.elts:
            message = message.elts[0]
        recipe = Reader(self._source).read(message, sighting.place) if message else NOTHING
        return "AssertionError", recipe, is_closed(recipe)

    def _read_warn(self, sighting: Sighting) -> tuple[str, Recipe, bool]:
        """Read `warnings.warn(message, category)`; a category's instance brings both."""
        call: ast.Call = sighting.node  # type: ignore[assignment]
        message, category = _argument(call, 0, "message"), _argument(call, 1, "category")
        recipe = Reader(self._source).read(message, sighting.place) if message else NOTHING
        name = dotted_name(category)[-1] if category and dotted_name(category) else ""  # type: ignore[index]
        if isinstance(recipe, Call) and not category:
            function = recipe.function
            last = function.names[-1] if isinstance(function, Reference) else ""
            if last.endswith(("Warning", "Deprecation")):
                return (
                    last,
                    recipe.arguments[0] if recipe.arguments else NOTHING,
                    all(map(is_closed, recipe.arguments[:1])),
                )
        kind = name if name.lstrip("_")[:1].isupper() else ("" if category else "UserWarning")
        return kind, recipe, is_closed(recipe)

    def _read_log(self, sighting: Sighting) -> tuple[str, Recipe, bool]:
        call: ast.Call = sighting.node  # type: ignore[assignment]
        message = _argument(call, 0, "msg")
        reader = Reader(self._source)
        recipe = reader.read(message, sighting.place) if message else NOTHING
        if len(call.args) > 1:
            recipe = _with_log_arguments(recipe, call, reader)
        return "", recipe, is_closed(recipe)

    def _read_exit(self, sighting: Sighting) -> tuple[str, Recipe, bool] | None:
        call: ast.Call = sighting.node  # type: ignore[assignment]
        if not call.args:
            return None
        recipe = Reader(self._source).read(call.args[0], sighting.place)
        return None if recipe == NOTHING else ("SystemExit", recipe, is_closed(recipe))

    def _read_check(self, sighting: Sighting) -> tuple[str, Recipe, bool]:
        call: ast.Call = sighting.node  # type: ignore[assignment]
        message = _argument(call, 0, "msg")
        recipe = Reader(self._source).read(message, sighting.place) if message else NOTHING
        name = dotted_name(call.func) or ("",)
        return name[-1], recipe, is_closed(recipe)

    def _helper_parameters(self, sighting: Sighting, recipe: Recipe) -> Parameters | None:
        """Return the parameters of a function whose callers bring the words of this site."""
        scope = sighting.place.scope
        if scope.function is None or sighting.form == "log" or not HELPER_NAME.search(scope.function.name):
            return None
        if not any(slot in scope.names for slot in names_in(recipe)):
            return None
        return parameters_of(scope.function, self._source, is_method=bool(scope.self_name))

    def _helper_calls(self, visitor: Visitor) -> Iterator[HelperCall]:
        for call, place in visitor.helper_calls:
            recipe = Reader(self._source).read(call, place)
            if isinstance(recipe, Call):
                yield HelperCall(recipe)

    def _module_facts(self, calls: tuple[HelperCall, ...]) -> ModuleFacts:
        asked = frozenset(self._asked(calls))
        offers, module, source = self._offers, self._module, self._source
        classes = asked_classes(offers, asked, module, source)
        functions = asked_functions(offers, asked, module, source)
        inner = [recipe for facts in classes.values() for recipe in facts.attributes.values()]
        inner += [recipe for facts in functions.values() for recipe in facts.returns]
        inner += [facts.init.handed_on for facts in classes.values() if facts.init and facts.init.handed_on]
        asked |= frozenset(name for recipe in inner for name in names_in(recipe))
        return ModuleFacts(
            waiting=tuple(self._waiting),
            calls=calls,
            classes=classes,
            constants=asked_constants(offers, asked, source),
            functions=functions,
            imports=offers.imports,
            stars=tuple(offers.stars),
        )

    def _asked(self, calls: Iterable[HelperCall]) -> Iterator[str]:
        """Yield the names that the module's own sites ask for."""
        for waiting in self._waiting:
            yield from names_in(waiting.recipe)
        for call in calls:
            yield from names_in(call.call)


_READ = {
    "raise": _Extraction._read_raise,
    "assert": _Extraction._read_assert,
    "warn": _Extraction._read_warn,
    "log": _Extraction._read_log,
    "exit": _Extraction._read_exit,
    "check": _Extraction._read_check,
}


def _argument(call: ast.Call, number: int, name: str) -> ast.expr | None:
    if len(call.args) > number:
        return call.args[number]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _with_log_arguments(recipe: Recipe, call: ast.Call, reader: Reader) -> Recipe:
    """Fill a log's message; a single dictionary is its mapping."""
    return Percent(recipe, reader.unread(call.args[1:]))


def _is_caught(recipe: Recipe) -> bool:
    """Return whether what is raised can only be an exception that was caught before."""
    if isinstance(recipe, Caught):
        return True
    if isinstance(recipe, Choice):
        options = [option for option in recipe.options if option != NOTHING]
        return bool(options) and all(map(_is_caught, options))
    if isinstance(recipe, Default):
        return _is_caught(recipe.value) and _is_caught(recipe.otherwise)
    return False
