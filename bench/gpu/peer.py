"""Measures the same as bench.ts by PyTorch and transformers on the GPU; run.sh starts it.

peer.py write MODEL qwen3|smollm2 [layers]   a checkpoint of random weights in the published shapes
peer.py check MODEL OUT NAME...              errors of what bench.ts left in OUT/NAME.safetensors
peer.py time MODEL f32|bf16                  seconds of a LoRA step, tokens per second of sampling
"""
import json
import sys
import time

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM

torch.backends.cuda.matmul.allow_tf32 = False
device = "cuda" if torch.cuda.is_available() else "cpu"


def say(**figures):
    print(json.dumps({"tool": f"torch {torch.__version__}", "device": device, **figures}), flush=True)


def write(folder, kind, layers=None):
    torch.manual_seed(20)
    common = dict(dtype="float32", tie_word_embeddings=True, initializer_range=0.02)
    if kind == "qwen3":
        config = Qwen3Config(
            vocab_size=151936, hidden_size=1024, intermediate_size=3072, num_hidden_layers=int(layers or 28),
            num_attention_heads=16, num_key_value_heads=8, head_dim=128, max_position_embeddings=40960,
            rms_norm_eps=1e-6, rope_theta=1e6, **common)
        model = Qwen3ForCausalLM(config)
    else:
        config = LlamaConfig(
            vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=int(layers or 30),
            num_attention_heads=9, num_key_value_heads=3, max_position_embeddings=8192,
            rms_norm_eps=1e-5, rope_theta=1e5, **common)
        model = LlamaForCausalLM(config)
    model.float().save_pretrained(folder, max_shard_size="40GB")
    say(what="wrote", model=folder, parameters=model.num_parameters())


class Lora(torch.nn.Module):
    """y = W x + (32 / 16) B A x, W frozen."""

    def __init__(self, base, a, b):
        super().__init__()
        self.base, self.a, self.b = base, torch.nn.Parameter(a), torch.nn.Parameter(b)

    def forward(self, x):
        wide = x.to(self.a.dtype)
        return self.base(x) + (2.0 * (wide @ self.a.T @ self.b.T)).to(x.dtype)


def adapt(model, given=None):
    """Adapters on all linear maps of the layers; without given ones small random ones."""
    model.requires_grad_(False)
    found = {}
    for name, module in list(model.named_modules()):
        if not isinstance(module, torch.nn.Linear) or name == "lm_head":
            continue
        key = f"base_model.model.{name}.lora_"
        shapes = (16, module.in_features), (module.out_features, 16)
        a, b = (
            given[f"{key}{letter}.weight"].to(device) if given else 0.01 * torch.randn(shape, device=device)
            for letter, shape in zip("AB", shapes))
        parent = model.get_submodule(name.rpartition(".")[0])
        found[key] = Lora(module, a, b)
        setattr(parent, name.rpartition(".")[2], found[key])
    return found


def losses(model, ids):
    logits = model(ids).logits[:, :-1].float()
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")


def check(folder, out, *names):
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).to(device)
    for name in names:
        given = load_file(f"{out}/{name}.safetensors")
        ids = given["ids"].long().to(device)
        with torch.no_grad():
            logits = plain(ids[:1, :16]).logits[0].cpu()
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).to(device)
        adapters = adapt(model, given)
        loss = losses(model, ids)
        loss.mean().backward()
        error = norm = worst = 0.0
        for key, lora in adapters.items():
            for letter, wanted in (("A", lora.a.grad), ("B", lora.b.grad)):
                found = given[f"gradient.{key}{letter}.weight"].to(device)
                off, size = (found - wanted).norm().item(), wanted.norm().item()
                error, norm, worst = error + off**2, norm + size**2, max(worst, off / size)
        of = given["log_probabilities"].to(device)
        apart = (of + loss.detach()).abs()
        say(
            what="against torch f32", model=folder.split("/")[-1], of=name,
            logits=(given["logits"] - logits).abs().max().item(), largest_logit=logits.abs().max().item(),
            log_probabilities=apart.max().item(), mean_log_probabilities=apart.mean().item(),
            gradients=(error / norm) ** 0.5, worst_gradient=worst, gradient_norm=norm**0.5)
        del model, adapters


def wait():
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def measure(folder, precision):
    dtype = torch.bfloat16 if precision == "bf16" else torch.float32
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).to(device)
    adapters = adapt(model)
    vocabulary = model.config.vocab_size
    ids = torch.tensor([(7919 * i + 504) % vocabulary for i in range(8 * 128)], device=device).reshape(8, 128)
    values = [p for lora in adapters.values() for p in (lora.a, lora.b)]
    optimiser = torch.optim.AdamW(values, lr=1e-3)
    name = dict(model=folder.split("/")[-1], precision=precision)
    for step in range(5):
        before = wait()
        optimiser.zero_grad()
        loss = losses(model, ids).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(values, 1.0)
        optimiser.step()
        say(what="step 8 x 128", step=step, wall_s=wait() - before, loss=loss.item(), **name)
    with torch.no_grad():
        for count in (16, 64, 16, 64):
            ids = torch.arange(count, device=device)[:, None] + 504
            before = wait()
            cache = model(ids, use_cache=True).past_key_values
            for _ in range(23):
                cache = model(ids, past_key_values=cache, use_cache=True).past_key_values
            say(what="sampling", sequences=count, tokens_per_s=24 * count / (wait() - before), **name)


if __name__ == "__main__":
    {"write": write, "check": check, "time": measure}[sys.argv[1]](*sys.argv[2:])
