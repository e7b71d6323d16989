"""Training steps and sampling of the small decoder in PyTorch eager, one thread, as JSON lines.

Figures are medians of processor time. The same network as the transformer policy: pre-norm decoder with RMS norms, ReLU, learned
positions, no biases but the head's, logits and a log flow on top; the loss is a squared log ratio,
gradients are clipped by their global norm, Adam is the fused one.

    python -m venv torch && torch/bin/pip install torch==2.13.0
    torch/bin/python bench/peers/torch_step.py [seconds per shape]
"""

import json
import resource
import sys
import time

import torch
from torch import nn
from torch.nn import functional

SHAPES = [
    {"layers": 2, "width": 64, "heads": 4, "actions": 64, "length": 48, "batch": 64},
    {"layers": 4, "width": 128, "heads": 4, "actions": 256, "length": 64, "batch": 64},
]


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return functional.rms_norm(x, (x.shape[-1],), self.gain, 1e-6)


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.mlp_norm = Norm(width), Norm(width)
        self.query_key_value = nn.Linear(width, 3 * width, bias=False)
        self.attention_out = nn.Linear(width, width, bias=False)
        self.mlp_in = nn.Linear(width, 4 * width, bias=False)
        self.mlp_out = nn.Linear(4 * width, width, bias=False)

    def forward(self, x, cache=None):
        rows, length, width = x.shape
        fused = self.query_key_value(self.attention_norm(x))
        fused = fused.view(rows, length, 3, self.heads, width // self.heads)
        query, key, value = fused.permute(2, 0, 3, 1, 4)
        if cache is not None:
            if cache:
                key = torch.cat([cache[0], key], 2)
                value = torch.cat([cache[1], value], 2)
            cache[:] = [key, value]
        causal = cache is None
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
        x = x + self.attention_out(mixed.transpose(1, 2).reshape(rows, length, width))
        return x + self.mlp_out(functional.relu(self.mlp_in(self.mlp_norm(x))))


class Decoder(nn.Module):
    def __init__(self, layers, width, heads, actions, length):
        super().__init__()
        self.action_embedding = nn.Embedding(actions + 1, width)
        self.position_embedding = nn.Parameter(0.5 * torch.randn(length, width))
        self.layers = nn.ModuleList([Layer(width, heads) for _ in range(layers)])
        self.final_norm = Norm(width)
        self.head = nn.Linear(width, actions + 1)

    def forward(self, tokens, begin=0, caches=None):
        positions = self.position_embedding[begin : begin + tokens.shape[1]]
        x = self.action_embedding(tokens) + positions
        for index, layer in enumerate(self.layers):
            x = layer(x, None if caches is None else caches[index])
        return self.head(self.final_norm(x))


def train_step(network, optimizer, tokens, actions):
    optimizer.zero_grad()
    outputs = network(tokens)
    log_p = functional.log_softmax(outputs[..., :actions], -1)
    log_pf = log_p.gather(-1, tokens[..., None])[..., 0]
    loss = ((log_pf.sum(1) + outputs[:, 0, actions]) ** 2).mean()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
    optimizer.step()


@torch.no_grad()
def sample(network, batch, length, actions):
    caches = [[] for _ in network.layers]
    token = torch.full((batch, 1), actions)
    for t in range(length):
        outputs = network(token, t, caches)[:, 0, :actions]
        token = torch.multinomial(torch.softmax(outputs, -1), 1)


def median(seconds, work):
    work()
    work()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or time.perf_counter() - begin < seconds:
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)[len(times) // 2]


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for shape in SHAPES:
        batch, length, actions = shape["batch"], shape["length"], shape["actions"]
        network = Decoder(shape["layers"], shape["width"], shape["heads"], actions, length)
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, fused=True)
        tokens = torch.randint(0, actions, (batch, length))
        step = median(seconds, lambda: train_step(network, optimizer, tokens, actions))
        draw = median(seconds / 4, lambda: sample(network, batch, length, actions))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures = {"step_ms": 1e3 * step, "tokens_per_s": batch * length / draw, "rss_mb": peak}
        print(json.dumps({**shape, **figures, "version": torch.__version__}), flush=True)


if __name__ == "__main__":
    main()
