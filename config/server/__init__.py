"""Daphne with limits on connections, requests and websockets."""

from config.server import reactor

reactor.install()  # before `daphne.server` is imported, which would install a different reactor
