"""Scanning, Python: the texts that exception classes of the tree make of what they are given."""

from errorkb.scanning.python.binding import bind
from errorkb.scanning.python.evaluation import Evaluation
from errorkb.scanning.python.facts import InitFacts
from errorkb.scanning.python.names import ModuleNames
from errorkb.scanning.python.texts import Text
from errorkb.scanning.python.throwing import Given, given_by, text_of_arguments
from errorkb.scanning.python.trees import FoundClass, FoundConstant, Tree

MOST_INITS = 12
# Attributes that hold the text of an exception that is given none, the likelier ones first. The second is Django
# REST framework's: https://www.django-rest-framework.org/api-guide/exceptions/#apiexception
_TEXT_ATTRIBUTES = (
    "fmt",
    "default_detail",
    "message",
    "msg",
    "msg_fmt",
    "default_message",
    "detail",
    "description",
    "message_format",
    "errmsg",
    "template",
)
_CODE_ATTRIBUTES = ("default_code", "code", "error_code", "status_code")


class ClassTexts:
    """What the exceptions of a tree say."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def texts(self, found: FoundClass, given: Given, evaluation: Evaluation) -> list[Text]:
        """Return the texts of an exception of a class that is given arguments: by `__str__`, else by `__init__`."""
        ancestors = self._tree.ancestors(found)
        own = self._by_str(found, ancestors, given, evaluation)
        if _has_words(own):
            return own
        made = self._by_init(found, ancestors, given, evaluation)
        return made if _has_words(made) else self._by_attribute(found, evaluation) or made

    def _by_str(
        self, found: FoundClass, ancestors: list[FoundClass], given: Given, evaluation: Evaluation
    ) -> list[Text]:
        owner = next((ancestor for ancestor in ancestors if ancestor.facts.text), None)
        if owner is None or owner.facts.text is None:
            return []
        bound = self._instance(found, ancestors, given, evaluation)
        inner = evaluation.within(ModuleNames(self._tree, owner.module, found), bound)
        return [text for recipe in owner.facts.text.returns for text in inner.texts(recipe)]

    def _instance(
        self, found: FoundClass, ancestors: list[FoundClass], given: Given, evaluation: Evaluation
    ) -> dict[str, list[Text]]:
        """Return the texts of the attributes that the `__init__`s set, by `self.name`."""
        bound: dict[str, list[Text]] = {}
        for owner, init in _inits(ancestors):
            inner = evaluation.within(
                ModuleNames(self._tree, owner.module, found), bind(init.parameters, given, evaluation)
            )
            for name, recipe in init.attributes:
                bound.setdefault(f"self.{name}", inner.texts(recipe))
            if init.handed_on is None:
                break
            given = given_by(init.handed_on, inner)
        return bound

    def _by_init(
        self, found: FoundClass, ancestors: list[FoundClass], given: Given, evaluation: Evaluation
    ) -> list[Text]:
        set_before: list[Text] = []
        for owner, init in _inits(ancestors):
            inner = evaluation.within(
                ModuleNames(self._tree, owner.module, found), bind(init.parameters, given, evaluation)
            )
            set_here = [
                text for name, recipe in init.attributes if name in _TEXT_ATTRIBUTES for text in inner.texts(recipe)
            ]
            set_before = set_before if _has_words(set_before) else set_here
            if init.handed_on is None:
                break
            given = given_by(init.handed_on, inner)
        texts = text_of_arguments(given, ancestors[-1].last_name)
        return texts if _has_words(texts) or not _has_words(set_before) else set_before

    def _by_attribute(self, found: FoundClass, evaluation: Evaluation) -> list[Text]:
        for name in _TEXT_ATTRIBUTES:
            member = self._tree.member(found, name)
            if isinstance(member, FoundConstant):
                inner = evaluation.within(ModuleNames(self._tree, member.module, found), {})
                texts = inner.texts(member.recipe)
                if _has_words(texts):
                    return texts
        return []

    def code(self, found: FoundClass) -> str:
        """Return the error code that a class gives to all of its exceptions, or nothing."""
        for name in _CODE_ATTRIBUTES:
            member = self._tree.member(found, name)
            if isinstance(member, FoundConstant):
                texts = Evaluation().texts(member.recipe)
                word = "".join(piece for piece in texts[0].pieces if isinstance(piece, str)) if texts else ""
                if word and len(word) <= 60 and " " not in word:
                    return word
        return ""


def _inits(ancestors: list[FoundClass]) -> list[tuple[FoundClass, InitFacts]]:
    return [(ancestor, ancestor.facts.init) for ancestor in ancestors if ancestor.facts.init][:MOST_INITS]


def _has_words(texts: list[Text]) -> bool:
    return any(text.has_words for text in texts)
