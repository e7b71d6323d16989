"""Reads a file store with MLflow and prints every run with its parameters and metrics as JSON."""

import json
import math
import sys

from mlflow.tracking import MlflowClient

client = MlflowClient(tracking_uri=f"file://{sys.argv[1]}")
found = {}
for experiment in client.search_experiments():
    for run in client.search_runs([experiment.experiment_id]):
        found[run.info.run_name] = {
            "params": run.data.params,
            "metrics": {
                key: [[one.step, None if math.isnan(one.value) else one.value]
                      for one in client.get_metric_history(run.info.run_id, key)]
                for key in run.data.metrics
            },
        }
print(json.dumps(found))
