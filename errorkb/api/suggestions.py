"""API: what the search box suggests while somebody types."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query as Parameters
from ninja import Router

from errorkb.api.answers import answer
from errorkb.api.operations import READ, reading
from errorkb.api.requests.parameters import SuggestionParameters, refuse_strangers
from errorkb.api.shapes.searches import SuggestedText, SuggestionAnswer
from errorkb.search.suggestions import Suggestion, suggestions_for
from errorkb.serving.addresses import absolute_url

# Who types asks again and again; what somebody has typed is for nobody else.
_CACHING = "private, max-age=60"

router = Router(tags=["Search"])


@router.api_operation(
    READ,
    "/suggest",
    **reading(SuggestionAnswer, "wrong-parameters"),
    operation_id="suggest",
    summary="What the search box suggests",
)
def suggest(request: HttpRequest, parameters: Parameters[SuggestionParameters]) -> HttpResponse:
    """Repositories, exception types, symbols and codes that begin like the last word, as filters; titles that begin
    like the whole text, with or without the exception type. Letter case does not count, in titles but for the first
    letter. A filter that is begun, as `type:Key`, is gone on with. Two letters are needed.
    """
    refuse_strangers(request, SuggestionParameters)
    found = suggestions_for(parameters.q, parameters.limit)
    body = SuggestionAnswer(query=parameters.q[:200], suggestions=[*map(_suggested, found)])
    return answer(request, body.model_dump(mode="json"), caching=_CACHING)


def _suggested(suggestion: Suggestion) -> SuggestedText:
    results = f"{reverse('entry-list')}?{urlencode({'q': suggestion.query})}"
    address = suggestion.entry.get_absolute_url() if suggestion.entry else results
    return SuggestedText.model_validate(
        {
            "kind": suggestion.kind,
            "text": suggestion.text,
            "query": suggestion.query,
            "html_url": absolute_url(address),
        }
    )
