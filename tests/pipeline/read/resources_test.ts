/** Resources of stages: those that a machine lacks, those that a job asks for, and misplaced keys. */
import assert from "node:assert/strict";
import { lacking, mostOf, without } from "../../../src/pipeline/basics/resources.ts";
import { dugongs, messagesOf } from "./fake_kinds.ts";

const machine = { cores: 4, gpus: 1, memory: 8 * 1024 ** 3 };

Deno.test("a machine lacks what it has less of, each in words", () => {
  assert.equal(lacking(undefined, machine), "");
  assert.equal(lacking({ cores: 4, minutes: 1e9 }, machine), "", "minutes are for schedulers");
  assert.equal(
    lacking({ cores: 8, gpus: 2, memory: 16 * 1024 ** 3 }, machine),
    "8 cores (4 cores here), 2 gpus (1 gpu here), 16 GiB of memory (8 GiB of memory here)",
  );
});

Deno.test("a job asks for the most that a stage wants, and for the minutes of all", () => {
  const most = mostOf([{ cores: 2, minutes: 5 }, undefined, { cores: 1, gpus: 1, minutes: 10 }]);
  assert.deepEqual(most, { cores: 2, gpus: 1, minutes: 15 });
  assert.deepEqual(mostOf([undefined]), {});
});

Deno.test("a stage that ends gives back what it took", () => {
  const taken = { cores: 3, memory: 1024 };
  assert.deepEqual(without(without(machine, taken), taken, -1), machine);
});

Deno.test("a wrong amount, and resources within a loop, are refused at their place", async () => {
  const pipeline = (own: string, inner: string) =>
    `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
${own}
[stages.t]
kind = "loop"
steps = 2
[stages.t.stages.h]
kind = "grammar"
path = "../grammars/growth_curves.toml"
${inner}
`;
  const wrong = await messagesOf(pipeline('resources = { memory = "much" }', ""), {}, dugongs);
  assert.match(wrong, /p\.toml:5:\d+: Cannot read stage "g"[\s\S]*wanted "512M" or "8G"/);
  const inLoop = await messagesOf(pipeline("", "resources = { gpus = 1 }"), {}, dugongs);
  assert.match(
    inLoop,
    /p\.toml:12:1: .*stage "t\.h": it has no machine of its own[\s\S]*at the loop/,
  );
});
