"""Two layers of the published shapes of Qwen3-0.6B and GPT-2 with random weights: log probabilities,
and gradients of a LoRA adapter, as PyTorch and PEFT have them. The vocabulary is cut to 512.

pip install torch==2.13.0 transformers==5.23.0 peft==0.21.2
python tools/golden/published_shapes.py tests/golden/published_shapes.json
"""
import json
import sys
import zlib
from importlib.metadata import version

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel, Qwen3Config, Qwen3ForCausalLM

models = {
    "qwen3": Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=512,
            hidden_size=1024,
            intermediate_size=3072,
            num_hidden_layers=2,
            num_attention_heads=16,
            num_key_value_heads=8,
            head_dim=128,
            rope_theta=1e6,
            rms_norm_eps=1e-6,
            max_position_embeddings=64,
            tie_word_embeddings=True,
        )
    ),
    "gpt2": GPT2LMHeadModel(
        GPT2Config(vocab_size=512, n_embd=768, n_layer=2, n_head=12, n_positions=64)
    ),
}


def noise(name, shape, height):
    """Numbers on ±height that depend on name and place alone; `random_weights.ts` has the same."""
    with np.errstate(over="ignore"):
        h = np.arange(int(np.prod(shape)), dtype=np.uint32) + np.uint32(zlib.crc32(name.encode()))
        h = h * np.uint32(2654435761)
        h = (h ^ (h >> np.uint32(15))) * np.uint32(2246822519)
        h = h ^ (h >> np.uint32(13))
    return torch.tensor(height * (h.astype(np.float64) / 2**31 - 1)).reshape(shape).float()


def summary(tensor):
    flat = tensor.detach().double().flatten()
    wave = torch.cos(torch.arange(len(flat), dtype=torch.float64))
    some = flat[torch.linspace(0, len(flat) - 1, 6).long()]
    return [float(f"{x:.7g}") for x in [flat.norm().item(), (flat @ wave).item(), *some.tolist()]]


cases = {}
for name, model in models.items():
    with torch.no_grad():
        for key, p in model.named_parameters():
            height = 0.05 if p.ndim > 1 else 0.3
            centre = 1.0 if p.ndim == 1 and key.endswith("weight") else 0.0
            p.copy_(centre + noise(key, p.shape, height))
    config = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(model, config).eval()
    trained = {k.replace(".default", ""): p for k, p in model.named_parameters() if p.requires_grad}
    with torch.no_grad():
        for key, p in trained.items():
            p.copy_(noise(key, p.shape, 0.03))
    ids = torch.tensor([[(37 * t * t + 11 * t + 5) % 512 for t in range(40)]])
    logits = model(ids).logits[0]
    scores = torch.log_softmax(logits[:-1], -1).gather(1, ids[0, 1:, None])[:, 0]
    (-scores.mean()).backward()
    cases[name] = {
        "ids": ids[0].tolist(),
        "log_probabilities": [round(x, 7) for x in scores.tolist()],
        "gradients": {key: summary(p.grad) for key, p in trained.items()},
    }
out = {
    "made_by": ", ".join(f"{name} {version(name)}" for name in ("torch", "transformers", "peft")),
    "command": "python tools/golden/published_shapes.py tests/golden/published_shapes.json",
    "cases": cases,
}
json.dump(out, open(sys.argv[1], "w"))
