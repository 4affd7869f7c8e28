"""Small documents that tests build on."""


def entry(message: str = "bad %s", **fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "message": message, "exception_type": "ValueError"} | fields


def site(line: int | None = 10, path: str = "a.py", symbol: str = "f", **pin) -> dict:
    return {"path": path, "line": line, "symbol": symbol} | (pin or {"release": "v1"})
