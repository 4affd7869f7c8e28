"""Tests of workers: what they do with a file, by the words in it; it stands here because workers import it by name."""

import os
import signal
import time

from errorkb.scanning.extraction import Job, extract


def extract_or_fail(job: Job) -> bytes:
    if b"die" in job.content:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"leave" in job.content:
        os._exit(0)
    if b"sleep" in job.content:
        time.sleep(600)
    return job.content.upper() if b"upper" in job.content else extract(job)
