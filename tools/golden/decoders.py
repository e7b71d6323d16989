"""Logits and log probabilities of tiny random Llama, Qwen3 and GPT-2 models, as transformers has them.

pip install torch==2.13.0 transformers==5.23.0
python tools/golden/decoders.py tests/golden/decoders.json
"""
import base64
import json
import os
import sys
import tempfile
from importlib.metadata import version

import torch
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

torch.manual_seed(20)
sizes = dict(
    vocab_size=99,
    hidden_size=16,
    intermediate_size=24,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    head_dim=8,
    max_position_embeddings=64,
)
models = {
    "llama": LlamaForCausalLM(LlamaConfig(**sizes, rope_theta=1e5, rms_norm_eps=1e-5, tie_word_embeddings=True)),
    "llama_with_head": LlamaForCausalLM(
        LlamaConfig(**sizes, rope_theta=1e4, tie_word_embeddings=False, attention_bias=True)
    ),
    "qwen3": Qwen3ForCausalLM(Qwen3Config(**sizes, rope_theta=1e6, tie_word_embeddings=True)),
    "gpt2": GPT2LMHeadModel(
        GPT2Config(vocab_size=99, n_embd=16, n_layer=2, n_head=2, n_positions=64)
    ),
}


def files(folder):
    return {
        name: base64.b64encode(open(os.path.join(folder, name), "rb").read()).decode()
        for name in sorted(os.listdir(folder))
        if name != "generation_config.json"
    }


cases = {}
for name, model in models.items():
    model = model.eval()
    with torch.no_grad():
        for parameter in model.parameters():
            spread = 0.3 if parameter.ndim == 1 else 0.5
            parameter.copy_(parameter.mean().round() + spread * torch.randn_like(parameter))
    model = model.to(torch.bfloat16)
    folder = tempfile.mkdtemp()
    model.save_pretrained(folder, max_shard_size="8KB" if name == "qwen3" else "1GB")
    # Read again: to turn the model back would leave its rotary frequencies in bfloat16.
    model = type(model).from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.randint(0, 99, (1, 21))
    with torch.no_grad():
        logits = model(ids).logits[0]
    scores = torch.log_softmax(logits[:-1].double(), -1).gather(1, ids[0, 1:, None])[:, 0]
    cases[name] = {
        "files": files(folder),
        "ids": ids[0].tolist(),
        "logits": {str(t): [round(x, 6) for x in logits[t].tolist()] for t in (0, 7, 20)},
        "log_probabilities": [round(x, 7) for x in scores.tolist()],
    }
out = {
    "made_by": f"torch {version('torch')}, transformers {version('transformers')}",
    "command": "python tools/golden/decoders.py tests/golden/decoders.json",
    "cases": cases,
}
json.dump(out, open(sys.argv[1], "w"))
