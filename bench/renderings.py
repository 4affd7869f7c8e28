"""Bench: pastes made from templates: random values in the slots, a traceback or a log line around them, and noise."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from errorkb.core.message_templates import parse_template

_WORDS = (
    "alpha", "batch-7", "beta", "cuda:0", "delta_v2", "epsilon", "float16", "gamma", "head.weight", "Iota", "jinja",
    "kappa_x", "lambda", "Mu", "nu", "omega", "prefill", "rho", "sigma", "tau", "upsilon", "user_42", "value", "y_true",
)  # fmt: skip
_SENTENCES = (
    "connection reset by peer",
    "the left hand side",
    "unknown option --fast",
    "no such thing as x=3",
    "expected 3, got 4",
    "user defined callback",
    "it's not there",
    "a: b, c: d",
    "第二个参数",
    "two\nlines",
)
_FOREIGN = ("größe", "données", "ключ", "模型", "名前", "naïve_é", "🙂", "ä b ü")  # fmt: skip
_NAMES = ("run", "load_all", "step", "main", "<module>", "__call__", "forward")
_FOLDERS = ("/home/ana/run-3", "/mnt/data/v1.2", "C:\\models\\llama", "./out", "s3://bucket/key", "~/cache")
_FILES = ("config.json", "model-00001-of-00004.safetensors", "train.csv", "a b.txt", "index.html", "part_0.parquet")


def _number(random: Random) -> str:
    return random.choice((str(random.randint(0, 9)), str(random.randint(10, 99_999)), f"{random.uniform(-9, 99):.3f}"))


def _word(random: Random) -> str:
    return random.choice(_WORDS)


def _path(random: Random) -> str:
    return f"{random.choice(_FOLDERS)}/{random.choice(_FILES)}"


def _quoted(random: Random) -> str:
    return random.choice(("'{}'", '"{}"', "`{}`")).format(_word(random))


def _list(random: Random) -> str:
    items = ", ".join(random.choice((_number, _quoted))(random) for _ in range(random.randint(0, 4)))
    return random.choice(("[{}]", "({})", "{{{}}}")).format(items)


def _object(random: Random) -> str:
    address = f"0x{random.getrandbits(44):x}"
    return random.choice(
        (
            f"<{_word(random)}.Thing object at {address}>",
            "<class 'int'>",
            "torch.float32",
            f"{{'a': {_number(random)}}}",
        )
    )


def _url(random: Random) -> str:
    return f"https://host-{random.randint(1, 9)}.example:8080/{_word(random)}?page={_number(random)}"


def _words(random: Random) -> str:
    return " ".join(_word(random) for _ in range(random.randint(2, 6)))


def _text(random: Random) -> str:
    return random.choice(_SENTENCES)


def _letters(random: Random) -> str:
    return "".join(
        random.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", k=random.randint(1, 16))
    )


def _foreign(random: Random) -> str:
    return random.choice(_FOREIGN)


def _empty(random: Random) -> str:
    return ""


Maker = Callable[[Random], str]
# What a slot's name says about its values; the first rule that fits.
_BY_NAME: tuple[tuple[re.Pattern[str], Sequence[Maker]], ...] = (
    (re.compile(r"path|file|dir|folder|location"), (_path,)),
    (re.compile(r"url|uri|host|endpoint"), (_url,)),
    (re.compile(r"(^|_)(e|ex|exc|err|error|exception|msg|message|reason)$"), (_text, _text, _object)),
    (re.compile(r"shape|names$|keys$|values$|args$|list|options|choices|allowed|missing|columns"), (_list,)),
    (re.compile(r"num|count|size|len|idx|index|max|min|dim|port|rank|version|line|status|code|total"), (_number,)),
    (re.compile(r"type|cls|class|obj|self|dtype"), (_object, _word)),
    (re.compile(r"name|key|field|attr|column|param|arg|option|label|model|mode"), (_word, _word, _quoted)),
)
_PLAIN: Sequence[Maker] = (_number, _number, _word, _word, _quoted, _path, _list, _object, _text, _empty)
_ANY: Sequence[Maker] = (*_PLAIN, _letters, _foreign)

_NOISE: Sequence[Callable[[Random], str]] = (
    lambda random: f"2026-11-{random.randint(10, 30)} 0{random.randint(0, 9)}:17:{random.randint(10, 59)} INFO ready",
    lambda random: f"GET /v1/items/{_number(random)} 200 in {_number(random)} ms",
    lambda random: f"[{random.randint(1, 8)}/8] building {_word(random)}",
    lambda random: f"epoch {random.randint(1, 50)}: loss={random.uniform(0, 3):.4f}",
    lambda random: f" {random.randint(1, 99)}%|████▌     | {_number(random)}/{_number(random)}",
    lambda random: f"DEBUG {_word(random)}: took {_number(random)} s",
    lambda random: "",
    lambda random: "$ make all",
    lambda random: f"Started process [{_number(random)}]",
    lambda random: f"ana@host-{random.randint(1, 9)}:~/shop$ python main.py --seed {_number(random)}",
    lambda random: f"Nov 12 08:0{random.randint(0, 9)}:11 node-3 app[{_number(random)}]: tick",
    lambda random: "---",
    lambda random: f"- {_word(random)}: {_path(random)}",
    lambda random: "I tried this twice, same thing both times. What can I do?",
    lambda random: "升级之后就这样了，有人遇到过吗？",
)
# What stands around an error in a program's own log.
_LOG_NOISE: Sequence[Callable[[Random], str]] = (
    lambda random: (
        f"2026-11-{random.randint(10, 30)} 0{random.randint(0, 9)}:17:33,120 INFO app.jobs: {_words(random)}"
    ),
    lambda random: f'INFO:     10.0.0.{random.randint(1, 9)}:50012 - "POST /v1/items HTTP/1.1" 200 OK',
    lambda random: (
        f'  File "/srv/app/{random.choice(_NAMES[:4])}.py", line {random.randint(1, 900)}, in {random.choice(_NAMES)}'
    ),
    lambda random: f"[{random.randint(10, 23)}:{random.randint(10, 59)}:07] DEBUG worker: {_words(random)}",
    lambda random: f"W1112 08:03:{random.randint(10, 59)} 7 main.py:88] {_words(random)}",
    lambda random: f'10.0.0.{random.randint(1, 9)} - - [12/Nov/2026:08:03:11] "GET /{_word(random)} HTTP/1.1" 404 -',
)
_LOG_LINES = (
    "2026-11-12 08:03:{second} ERROR [worker-{n}] {message}",
    "[2026-11-12 08:03:{second},{n}00: ERROR/MainProcess] {message}",
    "ERROR:app.jobs:{message}",
    "E1112 08:03:{second} {n} main.py:88] {message}",
    'web-{n}  | time="08:03:{second}" level=error {message}',
    "{message}",
)


@dataclass(frozen=True, slots=True)
class Thrown:
    """What a traceback tells beside the message: type, path where it is installed, line, function, code of the line."""

    exception_type: str
    path: str
    line: int
    function: str
    code: str
    kind: str = "error"


def render(template: str, random: Random, *, is_any: bool = False) -> str:
    """Return a template with random values in its slots; a slot that comes twice has the same value.

    A value is one that the slot's name lets expect; with `is_any`, one of any kind.
    """
    values: dict[str, str] = {}
    for part in parse_template(template):
        if part.slot is not None and part.slot not in values:
            values[part.slot] = random.choice(_ANY)(random) if is_any else _value(part.slot, random)
    return "".join(part.text if part.slot is None else values[part.slot] for part in parse_template(template))


def in_traceback(message: str, thrown: Thrown, random: Random) -> str:
    """Return a traceback with two frames, the second at the throw site."""
    if thrown.kind == "warning":
        return f"{thrown.path}:{thrown.line}: {thrown.exception_type or 'UserWarning'}: {message}\n  {thrown.code}"
    if thrown.kind == "log":
        return f"2026-11-12 08:03:11 ERROR {thrown.path}:{thrown.line} in {thrown.function}: {message}"
    code = f"    {thrown.code}\n" if thrown.code else ""
    frame = f'  File "{thrown.path}", line {thrown.line}, in {thrown.function}\n{code}'
    return f"{_opening(random)}{frame}{_last_line(message, thrown)}"


def in_strange_traceback(message: str, thrown: Thrown, random: Random) -> str:
    """Return a traceback of the right type whose frames are those of somebody's own code."""
    frame = f'  File "/home/ana/shop/jobs.py", line {random.randint(1, 300)}, in run\n    return step(options)\n'
    return f"{_opening(random)}{frame}{_last_line(message, thrown)}"


def below_type(message: str, thrown: Thrown, random: Random) -> str:
    """Return the last line of a traceback alone: type and message."""
    return _last_line(message, thrown)


def in_log_line(message: str, thrown: Thrown, random: Random) -> str:
    """Return a message in a line of a log."""
    form = random.choice(_LOG_LINES)
    return form.format(second=random.randint(10, 59), n=random.randint(1, 9), message=message)


def bare(message: str, thrown: Thrown, random: Random) -> str:
    """Return a message as it is."""
    return message


# The ways in which a message is pasted.
FORMS: dict[str, Callable[[str, Thrown, Random], str]] = {
    "traceback": in_traceback,
    "strange traceback": in_strange_traceback,
    "type and message": below_type,
    "log line": in_log_line,
    "bare line": bare,
}


def in_noise(text: str, random: Random) -> str:
    """Return a text within ten lines of noise, in half the cases of a program's own log."""
    kinds = random.choice((_NOISE, _LOG_NOISE))
    before, behind = ([random.choice(kinds)(random) for _ in range(5)] for _ in range(2))
    return "\n".join([*before, text, *behind])


def noise(random: Random, count: int) -> list[str]:
    """Return lines that say nothing of an error."""
    return [random.choice(_NOISE)(random) for _ in range(count)]


def _value(slot: str, random: Random) -> str:
    name = slot.rpartition(".")[2].lower()
    if random.random() < 0.03:
        return ""
    fitting = next((makers for rule, makers in _BY_NAME if rule.search(name)), _PLAIN)
    return random.choice(fitting)(random)


def _opening(random: Random) -> str:
    return (
        "Traceback (most recent call last):\n"
        f'  File "/home/ana/shop/main.py", line {random.randint(1, 300)}, in main\n'
        f"    result = run(options)\n"
    )


def _last_line(message: str, thrown: Thrown) -> str:
    if thrown.kind == "log":
        return message
    error = thrown.exception_type or ("UserWarning" if thrown.kind == "warning" else "Exception")
    return f"{error}: {message}" if message else error
