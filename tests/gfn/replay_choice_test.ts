/** Ways to draw from the replay buffer, and what leaves it when it is full. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { ReplayBuffer, type ReplayOptions } from "../../src/gfn/replay/replay.ts";
import type { ReplayChoice } from "../../src/gfn/replay/replay_choice.ts";

/** Objects 0 … n − 1, the log reward of each being its number. */
function filled(n: number, options: ReplayOptions, capacity = n): ReplayBuffer {
  const buffer = new ReplayBuffer(capacity, options);
  for (let i = 0; i < n; i++) {
    buffer.add({ actions: [i % 3, Math.floor(i / 3), 9], text: `${i}`, logReward: [-1, i] });
  }
  return buffer;
}

const numbers = (buffer: ReplayBuffer, count: number, ...key: (string | number)[]) =>
  buffer.sample(count, new RandomStream("draw", ...key)).map(({ text }) => Number(text));

const kinds = ["uniform", "prioritised", "top_fraction", "diverse"] as const;

Deno.test("every way draws min(count, size) different entries, and none from an empty buffer", () => {
  const sizes = fc.tuple(fc.nat({ max: 30 }), fc.nat({ max: 40 }), fc.constantFrom(...kinds));
  fc.assert(fc.property(sizes, ([size, count, kind]) => {
    const drawn = numbers(filled(size, { choice: { kind } }), count, size, count);
    assert.equal(drawn.length, Math.min(size, count));
    assert.equal(new Set(drawn).size, drawn.length);
  }));
});

function frequency(choice: ReplayChoice, count: number, repetitions: number): number[] {
  const buffer = filled(10, { choice });
  const times = new Array<number>(10).fill(0);
  for (let i = 0; i < repetitions; i++) for (const n of numbers(buffer, count, i)) times[n]++;
  return times;
}

Deno.test("prioritised draws one entry with probability proportional to 1 / rank", () => {
  const n = 20_000;
  const times = frequency({ kind: "prioritised" }, 1, n);
  const harmonic = Array.from({ length: 10 }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b);
  times.toReversed().forEach((time, rank) => {
    const p = 1 / (rank + 1) / harmonic;
    assert.ok(Math.abs(time - n * p) < 4.5 * Math.sqrt(n * p * (1 - p)), `${rank}: ${time}`);
  });
});

Deno.test("power 0 makes prioritised draws uniform", () => {
  for (const time of frequency({ kind: "prioritised", power: 0 }, 1, 10_000)) {
    assert.ok(Math.abs(time - 1000) < 4.5 * 30, `${time}`);
  }
});

Deno.test("top_fraction takes its share from the best and the rest from the others", () => {
  const choice = { kind: "top_fraction", top: 0.2, topShare: 0.5 } as const;
  for (let i = 0; i < 20; i++) {
    const drawn = numbers(filled(20, { choice }), 6, i);
    assert.equal(drawn.filter((n) => n >= 16).length, 3);
  }
});

Deno.test("diverse draws lie farther apart than uniform ones", () => {
  const spread = (kind: ReplayChoice["kind"]) => {
    let differences = 0;
    for (let i = 0; i < 50; i++) {
      const drawn = numbers(filled(30, { choice: { kind } }), 3, i);
      for (const a of drawn) {
        for (const b of drawn) {
          differences += Number(a % 3 !== b % 3) + Number(Math.floor(a / 3) !== Math.floor(b / 3));
        }
      }
    }
    return differences;
  };
  assert.ok(spread("diverse") > 1.1 * spread("uniform"));
});

Deno.test("a full buffer forgets the oldest, or the one of least reward", () => {
  const kept = (eviction: "oldest" | "lowest_reward") => {
    const buffer = new ReplayBuffer(3, { eviction });
    for (const n of [5, 1, 4, 2, 3]) buffer.add({ actions: [9], text: `${n}`, logReward: [n] });
    return numbers(buffer, 3, "kept").sort();
  };
  assert.deepEqual(kept("oldest"), [2, 3, 4]);
  assert.deepEqual(kept("lowest_reward"), [3, 4, 5]);
});
