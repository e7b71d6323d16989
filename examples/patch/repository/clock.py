"""Times of a day."""


def minutes(text):
    """Minutes since midnight: "1:30" is 90."""
    hours, rest = text.split(":")
    return 60 * int(hours) + int(rest)
