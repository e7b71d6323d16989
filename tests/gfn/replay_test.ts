/** Replay: unique, bounded, uniform, copied, and the same after a checkpoint. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { ReplayBuffer } from "../../src/gfn/replay/replay.ts";

const entry = (n: number, logReward = -n) => {
  return { actions: [n, 0], text: `object ${n}`, logReward: [logReward] };
};

const texts = (buffer: ReplayBuffer) =>
  buffer.sample(Infinity, new RandomStream("all")).map((e) => e.text).sort();

Deno.test("the buffer holds the youngest distinct objects, as a list of last visits does", () => {
  const visits = fc.array(fc.nat({ max: 12 }), { maxLength: 60 });
  fc.assert(fc.property(visits, fc.integer({ min: 1, max: 8 }), (numbers, capacity) => {
    const buffer = new ReplayBuffer(capacity);
    for (const n of numbers) buffer.add(entry(n));
    const youngest = [...new Set(numbers.toReversed())].slice(0, capacity);
    assert.deepEqual(texts(buffer), youngest.map((n) => `object ${n}`).sort());
    assert.equal(buffer.size, youngest.length);
  }));
});

Deno.test("a sample has no object twice and never more than there are", () => {
  const buffer = new ReplayBuffer(10);
  for (let n = 0; n < 7; n++) buffer.add(entry(n));
  for (const count of [0, 3, 7, 20]) {
    const drawn = buffer.sample(count, new RandomStream("sample", count));
    assert.equal(drawn.length, Math.min(count, 7));
    assert.equal(new Set(drawn.map((e) => e.text)).size, drawn.length);
  }
});

Deno.test("every entry is drawn equally often", () => {
  const buffer = new ReplayBuffer(5);
  for (let n = 0; n < 5; n++) buffer.add(entry(n));
  const random = new RandomStream("uniform");
  const counts = new Map<string, number>();
  for (let i = 0; i < 5000; i++) {
    for (const { text } of buffer.sample(2, random)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  // Each is in a sample with probability 2/5: 2000 ± 4 standard deviations of 34.6.
  for (const count of counts.values()) assert.ok(Math.abs(count - 2000) < 4 * 34.7, `${count}`);
});

Deno.test("what is added later about the same object replaces what was known", () => {
  const buffer = new ReplayBuffer(5);
  buffer.add(entry(1, -3));
  buffer.add(entry(1, -2));
  assert.deepEqual(buffer.sample(5, new RandomStream("new")).map((e) => e.logReward), [[-2]]);
});

Deno.test("an entry cannot be changed from outside", () => {
  const buffer = new ReplayBuffer(5);
  const given = entry(1, -3);
  buffer.add(given);
  given.logReward[0] = 7;
  assert.deepEqual(buffer.sample(1, new RandomStream("copy"))[0].logReward, [-3]);
});

Deno.test("a restored buffer draws and forgets as the saved one does", () => {
  const buffer = new ReplayBuffer(4);
  for (const n of [3, 1, 4, 1, 5, 9]) buffer.add(entry(n, -n / 7));
  const restored = new ReplayBuffer(4);
  restored.load(buffer.save());
  assert.deepEqual(restored.save(), buffer.save());
  for (const one of [buffer, restored]) one.add(entry(2));
  assert.deepEqual(
    restored.sample(3, new RandomStream("after")),
    buffer.sample(3, new RandomStream("after")),
  );
});
