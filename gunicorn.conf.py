"""Composition: how gunicorn serves the site, in `make run` and behind a proxy alike; read because of its name.

People paste secrets into this site. So the log has no query string, no referrer, no header and no body, and nothing in
it can pass for a line of the log or steer a terminal.
"""

import gc
import os
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from gunicorn.glogging import Logger

LOGGED = ("h", "t", "H", "s", "B", "M")


class PathOnlyLogger(Logger):
    """gunicorn's log without what a visitor typed."""

    def atoms(self, resp: Any, req: Any, environ: dict[str, Any], request_time: timedelta) -> dict[str, Any]:
        """Return what an access line is made from: of the request, only its method and path."""
        atoms = super().atoms(resp, req, environ, request_time)
        path = str(environ.get("RAW_URI", "")).partition("?")[0]
        return {name: atoms[name] for name in LOGGED} | {"m": quote(str(atoms["m"])), "U": quote(path, safe="/%")}

    def warning(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log a warning; of one about a malformed request, who sent it but not what it says."""
        if msg.startswith("Invalid request from"):
            msg = msg.partition(": ")[0].replace("%", "%%") if args else msg.partition(": ")[0]
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log an exception; of the request that it happened in, the path but not the query."""
        if msg.startswith("Error handling request"):
            args = tuple(quote(str(arg).partition("?")[0], safe="/") for arg in args)
        super().exception(msg, *args, **kwargs)


def post_worker_init(worker: Any) -> None:
    """Keep the collector from looking at what was imported and stays: it took tens of milliseconds of some requests."""
    gc.collect()
    gc.freeze()


wsgi_app = "errorkb.wsgi:application"
bind = os.environ.get("GUNICORN_BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = 4
timeout = 60
graceful_timeout = 10
keepalive = 5
limit_request_line = 8190

logger_class = PathOnlyLogger
accesslog = "-"
access_log_format = '%(h)s %(t)s "%(m)s %(U)s %(H)s" %(s)s %(B)s %(M)sms'
loglevel = os.environ.get("GUNICORN_LOG_LEVEL", "warning")

control_socket_disable = True
