"""Gradients of LoRA adapters and of all weights, and steps of AdamW, as PyTorch and PEFT have them.

pip install torch==2.13.0 transformers==5.23.0 peft==0.21.2
python tools/golden/decoder_gradients.py tests/golden/decoders.json tests/golden/decoder_gradients.json

The models are those of decoders.json. The loss is a weighted sum of log probabilities along four
sequences, three of which begin alike; a token of a shared beginning counts once.
"""
import base64
import json
import math
import os
import sys
import tempfile
from importlib.metadata import version

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM

rank, alpha = 4, 6
legal = [1, 5, 90]


def sequences(ids):
    return [ids, ids[:9] + [7, 8, 9, 10], ids[:4] + [11, 12, 13], [5, 6, 7, 8, 9, 10]]


def loss_of(model, ids):
    """Every edge of the tree once, over the vocabulary; and behind every leaf three legal tokens."""
    loss, count, seen = 0.0, 0, set()
    for sequence in sequences(ids):
        logits = model(torch.tensor([sequence])).logits[0]
        scores = torch.log_softmax(logits, -1)
        for t in range(1, len(sequence)):
            path = tuple(sequence[: t + 1])
            if path in seen:
                continue
            seen.add(path)
            loss = loss + math.cos(count) * scores[t - 1, sequence[t]]
            count += 1
        last = torch.log_softmax(logits[-1, legal], -1)
        for j in range(len(legal)):
            loss = loss + math.cos(count) * last[j]
            count += 1
    return loss


def summary(tensor):
    """Enough of a tensor to know it by: its norm, its product with a wave, some of its numbers."""
    flat = tensor.detach().double().flatten()
    wave = torch.cos(torch.arange(len(flat), dtype=torch.float64))
    some = flat[torch.linspace(0, len(flat) - 1, 6).long()]
    return [float(f"{x:.7g}") for x in [flat.norm().item(), (flat @ wave).item(), *some.tolist()]]


def wave_like(tensor, phase):
    count = torch.arange(tensor.numel(), dtype=torch.float64)
    return (0.3 * torch.sin(0.37 * count + phase)).reshape(tensor.shape).float()


cases = {}
for name, case in json.load(open(sys.argv[1]))["cases"].items():
    folder = tempfile.mkdtemp()
    for file, text in case["files"].items():
        open(os.path.join(folder, file), "wb").write(base64.b64decode(text))

    def load():
        return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()

    model = load()
    loss_of(model, case["ids"]).backward()
    full = {key: summary(p.grad) for key, p in model.named_parameters()}
    config = LoraConfig(r=rank, lora_alpha=alpha, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(load(), config)
    trained = {key: p for key, p in model.named_parameters() if p.requires_grad}
    with torch.no_grad():
        for phase, key in enumerate(sorted(trained)):
            trained[key].copy_(wave_like(trained[key], phase))
    optimiser = torch.optim.AdamW([trained[key] for key in sorted(trained)], lr=0.01, weight_decay=0.1)
    losses, norms, gradients = [], [], {}
    for step in range(3):
        loss = loss_of(model, case["ids"])
        losses.append(loss.item())
        if step == 2:
            break
        optimiser.zero_grad()
        loss.backward()
        if step == 0:
            gradients = {key.replace(".default", ""): summary(p.grad) for key, p in trained.items()}
        norms.append(torch.nn.utils.clip_grad_norm_(trained.values(), 5.0).item())
        optimiser.step()
    cases[name] = {
        "full": full,
        "gradients": gradients,
        "losses": losses,
        "norms": norms,
        "stepped": {key.replace(".default", ""): summary(p) for key, p in trained.items()},
    }
out = {
    "made_by": ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "peft")),
    "command": "python tools/golden/decoder_gradients.py tests/golden/decoders.json tests/golden/decoder_gradients.json",
    "rank": rank,
    "alpha": alpha,
    "legal": legal,
    "cases": cases,
}
json.dump(out, open(sys.argv[2], "w"))
