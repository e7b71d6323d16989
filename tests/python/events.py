"""Reads a folder of event files with TensorBoard and prints every scalar as JSON."""

import json
import math
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
events.Reload()
found = {
    tag: [[one.step, None if math.isnan(one.value) else one.value] for one in events.Scalars(tag)]
    for tag in events.Tags()["scalars"]
}
print(json.dumps(found))
