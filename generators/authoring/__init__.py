"""Instructions written by one model and criticised by another; our own checks have the last word."""
