"""What others see of a match or an invitation before they open it: a title and a picture."""
