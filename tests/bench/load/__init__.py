"""The load: many simultaneous scripted games against a running site, and their speed."""
