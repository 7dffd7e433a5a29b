"""Accounts and guests: login, names, second factors, tokens."""
