"""Daphne with limits on connections, requests and websockets."""
