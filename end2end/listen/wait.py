"""Waiting for what has been started."""

import socket
import time

# How long a start, a page or an answer may take, in seconds.
PATIENCE = 60


def wait_for(what, is_there):
    end = time.monotonic() + PATIENCE
    while not is_there():
        if time.monotonic() > end:
            raise TimeoutError(f'not within {PATIENCE} s: {what}')
        time.sleep(0.05)


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(('127.0.0.1', port)) == 0
