"""API: match: a pasted text to the entries that it tells of, one text or a batch of them; no text is stored."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from errorkb.api.answers import PRIVATE, answer, passing_answer
from errorkb.api.operations import ASK, READ, asking, reading
from errorkb.api.problems import PROBLEM_TYPES
from errorkb.api.requests.match_bodies import read_paste, read_texts, text_fault
from errorkb.api.requests.match_parameters import LineParameters, MatchParameters
from errorkb.api.requests.parameters import refuse_strangers
from errorkb.api.shapes.matches import MatchAnswer, MatchBatch
from errorkb.core.paste_bytes import tidy_paste
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions
from errorkb.matching.served import served_result

# So many seconds are spent on one batch; the texts that are left then are told to be sent again.
BATCH_SECONDS = 20
EXAMPLE = "ValueError: Unknown log level 'loud'"

router = Router(tags=["Match"])


@router.api_operation(
    ASK,
    "/match",
    **asking(
        MatchAnswer,
        "wrong-parameters",
        "too-large",
        "unsupported-media-type",
        bodies={"text/plain": EXAMPLE, "application/json": {"text": EXAMPLE}},
    ),
    operation_id="match",
    summary="A traceback, a log, a line: which entries it tells of",
)
def match_paste(request: HttpRequest, parameters: Query[MatchParameters]) -> HttpResponse:
    """Send any text that has an error in it, 4 MiB at most, with its noise: ranked entries come back, each with its
    evidence, or `unknown` and what was understood.

    The text is not stored, and no log has it. Bytes that are no UTF-8 are read as well as can be.
    """
    refuse_strangers(request, MatchParameters)
    options = parameters.options
    result = match(read_paste(request), options)
    return passing_answer(served_result(result, full=parameters.fields == "full"))


@router.api_operation(
    READ,
    "/match",
    **reading(MatchAnswer, "wrong-parameters"),
    operation_id="matchLine",
    summary="One line: which entries it tells of",
)
def match_line(request: HttpRequest, parameters: Query[LineParameters]) -> HttpResponse:
    """The same for one line in the address, so that a client's own cache can keep the answer; shared ones do not."""
    refuse_strangers(request, LineParameters)
    result = match(parameters.q, parameters.options)
    return answer(request, served_result(result, full=parameters.fields == "full"), caching=PRIVATE)


@router.api_operation(
    ASK,
    "/match/batch",
    **asking(
        MatchBatch,
        "wrong-parameters",
        "too-large",
        "unsupported-media-type",
        bodies={"application/json": {"texts": [EXAMPLE, "KeyError: 'currency'"]}},
    ),
    operation_id="matchBatch",
    summary="Many texts at once",
)
def match_batch(request: HttpRequest, parameters: Query[MatchParameters]) -> HttpResponse:
    """Up to 1,000 texts, each answered as on its own and in the same order. One that cannot be matched has an `error`
    in its place; so has each that was left when the time for the batch was over: send those again.
    """
    refuse_strangers(request, MatchParameters)
    options, full = parameters.options, parameters.fields == "full"
    return passing_answer({"results": [*match_each(read_texts(request), options, full=full)]})


def match_each(
    texts: list[Any], options: MatchOptions, *, full: bool, clock: Callable[[], float] = time.monotonic
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each text, or why there is none; `clock` tells seconds."""
    end = clock() + BATCH_SECONDS
    for text in texts:
        if fault := text_fault(text):
            yield _failed(PROBLEM_TYPES[fault.name].status, fault.detail)
        elif clock() > end:
            yield _failed(503, "The time for this batch was over; send this text again.")
        else:
            yield served_result(match(tidy_paste(text), options), full=full)


def _failed(status: int, detail: str) -> dict[str, Any]:
    return {"error": {"status": status, "detail": detail}}
