"""The schemas of the API's bodies and responses."""
