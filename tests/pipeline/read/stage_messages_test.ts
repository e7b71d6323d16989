/** Messages about stages as a whole: small wrong pipelines, each with the whole text a user reads. */
import assert from "node:assert/strict";
import { dugongs, messagesOf } from "./fake_kinds.ts";

Deno.test("a stage without kind sees the kinds that there are", async () => {
  const pipeline = `\
format = 1
[stages.a]
steps = 1
`;
  const message = `\
pipelines/p.toml:2:9: Cannot read stage "a": missing key "kind"
   2 | [stages.a]
     |         ^
  mend: add kind = "…", one of dataset, evaluate_kl, grammar, judge, learn, loop, sample, sandbox_execute, sft, target, or the path of a module`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("an unknown kind gets the nearest name", async () => {
  const pipeline = `\
format = 1
[stages.a]
kind = "gramar"
path = "x"
`;
  const message = `\
pipelines/p.toml:3:8: Cannot read stage "a": unknown kind "gramar"
   3 | kind = "gramar"
     |        ^^^^^^^^
  mend: did you mean "grammar"? Known kinds: dataset, evaluate_kl, grammar, judge, learn, loop, sample, sandbox_execute, sft, target`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a kind that looks like a file is told how paths begin", async () => {
  const pipeline = `\
format = 1
[stages.a]
kind = "mine.ts"
`;
  const message = `\
pipelines/p.toml:3:8: Cannot read stage "a": unknown kind "mine.ts"
   3 | kind = "mine.ts"
     |        ^^^^^^^^^
  mend: a path begins with "./": kind = "./mine.ts"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a kind by path that is missing gets the nearest file name", async () => {
  const pipeline = `\
format = 1
[stages.a]
kind = "./p.tml"
`;
  const message = `\
pipelines/p.toml:3:8: Cannot read stage "a": there is no file "./p.tml"
   3 | kind = "./p.tml"
     |        ^^^^^^^^^
  mend: did you mean "./p.toml"?`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage named state is refused", async () => {
  const pipeline = `\
format = 1
[stages.state]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:9: Cannot read stage "state": the name "state" is reserved
   2 | [stages.state]
     |         ^^^^^
  mend: choose another name: "state.x" is what flows into a loop`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage whose name has a dot is refused", async () => {
  const pipeline = `\
format = 1
[stages."a.b"]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:9: Cannot read stage "a.b": this cannot be the name of a stage
   2 | [stages."a.b"]
     |         ^^^^^
  mend: names begin with a letter and go on with letters, digits, _ and -`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage that is not a table is refused", async () => {
  const pipeline = `\
format = 1
stages.a = 3
`;
  const message = `\
pipelines/p.toml:2:12: Cannot read stage "a": wanted a table
   2 | stages.a = 3
     |            ^
  mend: write [stages.a] and its keys below`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage that is defined twice is a syntax error", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.g]
kind = "judge"
`;
  const message = `\
pipelines/p.toml:5:2: Cannot read this as TOML: [stages.g] is defined twice
   5 | [stages.g]
     |  ^^^^^^^^
  mend: rename one of the two, or write their keys into one table`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage of a loop may not take the name of an outer stage", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.l]
kind = "loop"
steps = 2
[stages.l.stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:8:18: Cannot read stage "l.g": "g" is also the name of a stage outside the loop
   8 | [stages.l.stages.g]
     |                  ^
  mend: rename one of the two: stages of a loop see the names outside it`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("every outside a loop is refused", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
every = 2
`;
  const message = `\
pipelines/p.toml:5:1: Cannot read stage "g": "every" has a meaning only in a loop
   5 | every = 2
     | ^^^^^
  mend: remove it, or move the stage into a loop`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("retries and timeout are checked", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
retries = -1
timeout = "long"
`;
  const message = `\
pipelines/p.toml:5:11: Cannot read stage "g": retries is -1, wanted a whole number of at least 0
   5 | retries = -1
     |           ^^

pipelines/p.toml:6:11: Cannot read stage "g": timeout is "long", wanted a number above 0
   6 | timeout = "long"
     |           ^^^^^^

2 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a loop without stages or with broken steps is told so", async () => {
  const pipeline = `\
format = 1
[stages.l]
kind = "loop"
steps = 2.5
stpes = 3
`;
  const message = `\
pipelines/p.toml:2:9: Cannot read stage "l": it has no stages
   2 | [stages.l]
     |         ^
  mend: add a stage: [stages.l.stages.first] with kind = "…"

pipelines/p.toml:4:9: Cannot read stage "l": steps is 2.5, wanted a whole number of at least 1
   4 | steps = 2.5
     |         ^^^

pipelines/p.toml:5:1: Cannot read stage "l": unknown key "stpes"
   5 | stpes = 3
     | ^^^^^
  mend: did you mean "steps"? Known keys: best, checkpoint_every, keep_every, next, stages, staleness, state, steps

3 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});
