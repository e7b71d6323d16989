"""Gradients of a LoRA adapter of SmolLM2, and a step of AdamW, as PyTorch and PEFT have them.

pip install torch==2.13.0 transformers==5.23.0 peft==0.21.2
deno run -A bench/language_model_training_bench.ts FOLDER
python tools/golden/smollm2_gradients.py FOLDER tests/golden/decoder_smollm2.json tests/golden/smollm2_gradients.json
"""
import json
import re
import sys
from importlib.metadata import version

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32)
config = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
model = get_peft_model(model, config).eval()
trained = {key: p for key, p in model.named_parameters() if p.requires_grad}
with torch.no_grad():
    for phase, key in enumerate(sorted(trained)):
        count = torch.arange(trained[key].numel(), dtype=torch.float64)
        height = 0.05 if "lora_A" in key else 0.01
        trained[key].copy_((height * torch.sin(0.37 * count + phase)).reshape(trained[key].shape).float())
sequences = [case["ids"] for case in json.load(open(sys.argv[2]))["cases"]][::2]


def loss_of():
    loss, count = 0.0, sum(len(ids) - 1 for ids in sequences)
    for ids in sequences:
        scores = torch.log_softmax(model(torch.tensor([ids])).logits[0, :-1], -1)
        loss = loss - scores.gather(1, torch.tensor(ids)[1:, None]).sum() / count
    return loss


def summary(tensor):
    flat = tensor.detach().double().flatten()
    wave = torch.cos(torch.arange(len(flat), dtype=torch.float64))
    some = flat[torch.linspace(0, len(flat) - 1, 6).long()]
    return [float(f"{x:.7g}") for x in [flat.norm().item(), (flat @ wave).item(), *some.tolist()]]


def summaries(of):
    return {
        key.replace(".default", ""): summary(of(p))
        for key, p in trained.items()
        if re.search(r"layers\.(0|14|29)\.", key)
    }


optimiser = torch.optim.AdamW([trained[key] for key in sorted(trained)], lr=1e-3, weight_decay=0.1)
loss = loss_of()
loss.backward()
gradients = summaries(lambda p: p.grad)
norm = torch.nn.utils.clip_grad_norm_(trained.values(), 1.0).item()
optimiser.step()
with torch.no_grad():
    after = loss_of().item()
out = {
    "made_by": ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "peft")),
    "command": "python tools/golden/smollm2_gradients.py FOLDER tests/golden/decoder_smollm2.json tests/golden/smollm2_gradients.json",
    "losses": [loss.item(), after],
    "norm": norm,
    "gradients": gradients,
    "stepped": summaries(lambda p: p),
}
json.dump(out, open(sys.argv[3], "w"))
