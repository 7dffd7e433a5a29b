"""Webhooks: other sites are told of games and tournaments.

What is told is a row, written with what it tells of (`outbox`). A loop of the referee takes the
rows that are due, by leases (`deliveries`), and sends them (`sending`) to an address that was
looked up and checked for this one try (`destination`). Nothing is lost by a kill; it may be sent
twice.
"""
