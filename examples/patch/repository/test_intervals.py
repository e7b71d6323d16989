"""Tests that the author of a patch sees."""

from intervals import busy, merge, overlap

assert overlap((0, 10), (5, 20)) == 5
assert merge([(0, 10), (5, 20)]) == [(0, 20)]
assert busy(["9:00-10:00", "9:30-11:00"]) == 120
