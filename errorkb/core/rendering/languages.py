"""Core, rendering: the languages that are highlighted, by the names that documents give them."""

_ALIASES = {
    "python": "py python3 py3 pyi pyx cython",
    "pycon": "python-console python-repl doctest",
    "pytb": "py3tb traceback python-traceback",
    "javascript": "js mjs cjs node",
    "typescript": "ts mts cts",
    "jsx": "react javascriptreact",
    "tsx": "typescriptreact",
    "go": "golang",
    "rust": "rs",
    "java": "",
    "kotlin": "kt kts",
    "scala": "sc",
    "c": "h",
    "cpp": "c++ cc cxx hpp",
    "cuda": "cu cuh",
    "csharp": "c# cs",
    "swift": "",
    "php": "",
    "ruby": "rb",
    "lua": "",
    "bash": "sh shell zsh ksh",
    "console": "shell-session shellsession sh-session",
    "json": "json5 jsonc ndjson jsonl",
    "yaml": "yml",
    "toml": "",
    "ini": "cfg conf dosini properties",
    "html": "htm xhtml",
    "xml": "svg xsd",
    "css": "",
    "sql": "sqlite postgresql mysql",
    "diff": "udiff patch",
    "docker": "dockerfile containerfile",
    "make": "makefile mk",
    "django": "jinja jinja2 htmldjango html+django html+jinja",
}
_PLAIN = frozenset({"text", "txt", "plain", "plaintext", "none", "log", "output"})
_CANONICAL = {name: language for language, aliases in _ALIASES.items() for name in (language, *aliases.split())}

LANGUAGES = tuple(_ALIASES)
"""The languages that are highlighted, each by the name under which Pygments knows its lexer."""


def canonical_language(name: str | None) -> str | None:
    """Return the member of LANGUAGES that `name` means in any letter case, or None if it means none of them."""
    return _CANONICAL.get(name.strip().lower()) if name else None


def is_language(name: str) -> bool:
    """Tell whether `name` names a language of LANGUAGES, or says that there is none (`text`, `output`)."""
    folded = name.strip().lower()
    return folded in _CANONICAL or folded in _PLAIN
