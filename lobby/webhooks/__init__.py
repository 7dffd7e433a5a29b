"""Webhooks, which notify other sites of matches and tournaments.

A delivery is a row that is inserted in the transaction that changes a tournament or handles the
event of a match (`outbox`). A loop of the referee leases the rows that are due (`deliveries`). It
sends them to an address that is resolved and checked for each attempt (`delivery_request`).
Deliveries survive a crash, but may be sent twice.
"""
