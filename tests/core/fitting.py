"""A template found in a text by its key, as match finds it."""

from errorkb.core.fit_texts import FitText, read_fit
from errorkb.core.match_keys import template_keys, text_windows
from errorkb.core.skeletons import make_skeleton
from errorkb.core.template_fits import Fit, best_fit


def fitted(template: str, *lines: str, **bounds) -> tuple[Fit, FitText]:
    """Return the best fit of a template on lines, and what it reads like there."""
    skeleton = make_skeleton(lines)
    key = template_keys(template)[0]
    places = text_windows(skeleton).places([key])[key]
    fit = best_fit(template, skeleton, key, places, **bounds)
    assert fit is not None
    return fit, read_fit(fit, skeleton)
