"""The computer's work: which turns and analyses are due, and the processes that think."""
