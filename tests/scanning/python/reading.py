"""Sources of a few lines, read and linked as if they were a whole tree."""

from textwrap import dedent

from errorkb.scanning.python import extract, link
from errorkb.scanning.sites import ThrowSite


def sites_of(source: str, **others: str) -> list[ThrowSite]:
    """Return the sites of `pkg/main.py`; `others` are modules beside it in the package."""
    files = {"pkg/__init__.py": "", "pkg/main.py": source}
    files |= {f"pkg/{name.replace('__', '/')}.py": text for name, text in others.items()}
    facts = [extract(dedent(text).encode(), path) for path, text in files.items()]
    return [site for site in link(facts) if site.path == "pkg/main.py"]


def templates(source: str, **others: str) -> list[str]:
    """Return the templates of the source's only site."""
    (site,) = sites_of(source, **others)
    return [wording.template for wording in site.wordings]
