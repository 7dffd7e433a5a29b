"""What the site may show of people: who is protected, and who may see whom."""
