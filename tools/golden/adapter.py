"""One linear map with a LoRA adapter and its gradients, as PEFT has them.

pip install torch==2.13.0 peft==0.21.2
python tools/golden/adapter.py tests/golden/adapter.json
"""
import json
import sys
from importlib.metadata import version

import torch
from peft import LoraConfig, get_peft_model

torch.manual_seed(20)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = torch.nn.Linear(12, 20, bias=False)

    def forward(self, x):
        return self.q_proj(x)


model = get_peft_model(Model(), LoraConfig(r=4, lora_alpha=6, target_modules="all-linear"))
layer = model.base_model.model.q_proj
with torch.no_grad():
    layer.lora_B["default"].weight.normal_()
x = torch.randn(7, 12, requires_grad=True)
dy = torch.randn(7, 20)
y = model(x)
y.backward(dy)
parts = {
    "weight": layer.base_layer.weight,
    "a": layer.lora_A["default"].weight,
    "b": layer.lora_B["default"].weight,
    "x": x,
    "y": y,
    "dy": dy,
    "dx": x.grad,
    "da": layer.lora_A["default"].weight.grad,
    "db": layer.lora_B["default"].weight.grad,
}
out = {
    "made_by": f"torch {version('torch')}, peft {version('peft')}",
    "command": "python tools/golden/adapter.py tests/golden/adapter.json",
    "rank": 4,
    "alpha": 6,
    **{name: [float(f"{v:.9g}") for v in t.detach().flatten().tolist()] for name, t in parts.items()},
}
json.dump(out, open(sys.argv[1], "w"))
