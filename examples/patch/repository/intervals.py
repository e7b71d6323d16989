"""Intervals of a day, in minutes: (start, end)."""

from clock import minutes


def overlap(a, b):
    """Minutes that two intervals share."""
    start = min(a[0], b[0])
    end = min(a[1], b[1])
    return end - start


def merge(intervals):
    """Intervals that overlap or touch, as one, in the order of the day."""
    merged = []
    for start, end in intervals:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def busy(texts):
    """Minutes of a day that are taken: "9:00-10:00" is one of `texts`."""
    spans = [tuple(minutes(part) for part in text.split("-")) for text in texts]
    return sum(end - start for start, end in merge(spans))
