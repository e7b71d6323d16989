/** The stage kind `benchmark`: matches, meaning and validity of answers whose probabilities are known. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import asked from "../../docs/examples/asked_numbers.ts";
import { customEnvironment } from "../../src/gfn/environments/define_environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../src/gfn/grammar/read.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import { elpdLooJudge } from "../../src/engine/score/judges/reward.ts";
import { parseTomlFile } from "../../src/pipeline/toml/parse.ts";
import benchmark from "../../stages/benchmark/stage.ts";
import type { Prompts, Target } from "../../stages/ports/values.ts";
import { writePrompts } from "../../stages/prompts/write_prompts.ts";
import { fakeContext, scored, threeAnimals } from "./fixtures.ts";

/** Four choices, equally likely to a table: two are one model, the last one cannot be scored. */
const text = `
  format = 1
  name = "four"
  template = "x = {x}"
  [holes.x]
  type = "number"
  productions = [
    { name = "one", weight = 1, text = "1" },
    { name = "two", weight = 1, text = "2", class = "even" },
    { name = "four", weight = 1, text = "4", class = "even" },
    { name = "none", weight = 1, text = "9" },
  ]
`;
const environment = grammarEnvironment(readGrammar(parseTomlFile(text, "x"), "x")) as Environment;

const target: Target = {
  environment,
  dataset: threeAnimals(),
  executor: "native",
  schedule: { ...defaultSchedule, unit: "row" },
  terms: [],
  rule: { terms: [{ judge: elpdLooJudge, weight: 1 }], failure: { logReward: -50 } },
  nullElpd: -45,
};

/** The canonical form is the number; "x  =  1" is "x = 1". */
function answer(program: string): Execution {
  const programHash = program.replaceAll(" ", "").trim();
  const own = { ...scored(-Number(programHash.slice(2))), programHash };
  return programHash === "x=9" ? { ...own, status: "error", score: undefined } : own;
}

async function measured(
  params: Readonly<Record<string, unknown>>,
  { own = environment, rewarded = { target } }: {
    own?: Environment;
    rewarded?: {
      readonly target?: Target;
      readonly targets?: Readonly<Record<string, Target>>;
      readonly environment?: Environment;
      readonly prompts?: Prompts;
    };
  } = {},
) {
  const policy = await createPolicy({ kind: "table" }, own, new RandomStream("start"));
  const context = fakeContext({ step: 0, answer });
  const trained = { policy, trajectories: 0, distinctEvaluations: 0 };
  const stage = benchmark.open(benchmark.params.parse(params));
  const { evaluation } = await stage.run(context, { policy: trained, ...rewarded });
  const whole = evaluation.measures.filter(({ group }) => group === undefined);
  const by = Object.fromEntries(whole.map((one) => [one.measure, one]));
  return { by, measures: evaluation.measures, context };
}

function within({ value, mcse }: { value: number; mcse: number }, wanted: number) {
  assert.ok(Math.abs(value - wanted) < 4 * mcse, `${value} ± ${mcse} is not ${wanted}`);
}

async function inFile(lines: string, use: (path: string) => Promise<void>) {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  try {
    Deno.writeTextFileSync(path, lines);
    await use(path);
  } finally {
    Deno.removeSync(path);
  }
}

Deno.test("a match is of text or of meaning; what cannot be scored is not valid", async () => {
  const examples = [{ name: "even", derivation: ["two"] }];
  const { by, context } = await measured({ examples, samples: 400, best_of: 2 });
  within(by.exact_match, 1 / 4);
  within(by.program_match, 1 / 2); // "four" is another spelling of the same model.
  within(by.valid_share, 3 / 4);
  within(by.mean_log_reward, (-1 - 2 - 4 - 50) / 4);
  // The best of two: −1 of 7 pairs in 16, −2 of 5, −4 of 3, −50 of 1.
  within(by.best_of_n, (-7 - 10 - 12 - 50) / 16);
  assert.equal(by.distinct.value, 4);
  const rows = context.told.tables.filter(([table]) => table === "evaluation")
    .flatMap(([, some]) => some);
  assert.deepEqual(rows.map(({ measure }) => measure), Object.keys(by));
  assert.equal(rows[0].method, "sampled answers");
  const [event] = context.told.tables.find(([table]) => table === "event")![1];
  assert.deepEqual([event.kind, event.message], ["benchmark", "even"]);
});

Deno.test("a policy that never answers so gets 0, and an error that is not", async () => {
  await inFile('{"completion": "x = 7"}\n', async (file) => {
    const { by } = await measured({ file, samples: 50 });
    assert.equal(by.exact_match.value, 0);
    assert.ok(by.exact_match.mcse > 0.005 && by.exact_match.interval![1] > 0.05);
  });
});

Deno.test("completions match by their canonical form, derivations of a file by what they derive", async () => {
  await inFile('{"completion": "x  =  1"}\n', async (file) => {
    const { by } = await measured({ file, samples: 400 });
    assert.equal(by.exact_match.value, 0);
    within(by.program_match, 1 / 4);
  });
  await inFile('{"derivation": ["one"]}\n{"derivation": ["two"]}\n', async (file) => {
    const { by } = await measured({ file, samples: 400 });
    within(by.exact_match, 1 / 2);
    within(by.program_match, 3 / 4);
  });
});

Deno.test("environments that state their reward, and no examples at all", async () => {
  const numbers = environmentNamed("numbers", { max: 9, base: 10 });
  const rewarded = { environment: numbers };
  const { by } = await measured({ samples: 20 }, { own: numbers, rewarded });
  assert.equal(by.exact_match, undefined);
  assert.equal(by.valid_share.value, 1);
  assert.deepEqual([by.mean_log_reward.value, by.best_of_n.value], [0, 0]);
});

const prompts: Prompts = writePrompts({}, {
  prompts: ["a", "b", "c"].map((id) => ({ id, held_out: id === "c", show: [], template: id })),
  ...{ response: false, most_rows: 1 },
});
const dearer: Target = {
  ...target,
  rule: { terms: [{ judge: elpdLooJudge, weight: 3 }], failure: { logReward: -90 } },
};

Deno.test("each prompt has the target of its own; means are over those that are not held out", async () => {
  const examples = [
    { name: "one", derivation: ["one"], prompt: "a" },
    { name: "even", derivation: ["two"] },
  ];
  const targets = { a: target, b: dearer, c: dearer };
  const { measures, context } = await measured(
    { examples, samples: 600, best_of: 2 },
    { rewarded: { prompts, targets } },
  );
  const of = (measure: string, group?: string) =>
    measures.find((one) => one.measure === measure && one.group === group)!;
  within(of("mean_log_reward", "a"), (-1 - 2 - 4 - 50) / 4);
  within(of("mean_log_reward", "b"), (-3 - 6 - 12 - 90) / 4);
  within(of("mean_log_reward"), (-57 - 111) / 8);
  within(of("held_out_mean_log_reward"), -111 / 4);
  within(of("exact_match", "a"), 1 / 2);
  within(of("exact_match", "c"), 1 / 4);
  within(of("program_match"), (3 / 4 + 1 / 2) / 2);
  const once = await measured(
    { examples: examples.slice(0, 1), samples: 400, best_of: 2 },
    { rewarded: { prompts, target } },
  );
  within(once.by.exact_match, 1 / 4); // of answers to the prompt that it answers alone
  assert.equal(once.by.held_out_exact_match, undefined);
  const rows = context.told.tables.filter(([table]) => table === "trajectory")
    .flatMap(([, some]) => some);
  assert.equal(rows.filter(({ prompt }) => prompt === "c").length, 600);
  const events = context.told.tables.find(([table]) => table === "event")![1];
  assert.deepEqual(
    events.map(({ message, detail }) => [message, (detail as { prompt: string }).prompt]),
    [["one", "a"], ["even", "a"], ["even", "b"], ["even", "c"]],
  );
});

Deno.test("an environment rewards answers by what they answer", async () => {
  const numbers = customEnvironment(asked, { max: 9, beyond: -4 }) as Environment;
  const upTo = (id: string) => ({ id, held_out: false, show: [], template: `up to ${id}` });
  const two = writePrompts({}, { prompts: [upTo("4"), upTo("9")], response: false, most_rows: 1 });
  const rewarded = { environment: numbers, prompts: two };
  const { measures } = await measured({ samples: 400 }, { own: numbers, rewarded });
  const [four, nine] = ["4", "9"].map((group) =>
    measures.find((one) => one.measure === "mean_log_reward" && one.group === group)!
  );
  assert.ok(four.value < -1 && four.value > -3, `${four.value}`); // half of the numbers are beyond
  assert.equal(nine.value, 0);
});

Deno.test("prompts, targets and examples that are not those of one another are refused", async () => {
  const wrong: [object, object, RegExp][] = [
    [{}, { prompts, targets: { a: target, b: target } }, /no target is for prompt "c"/],
    [{}, { prompts, targets: { a: target, b: target, c: target, d: target } }, /"d", which is no/],
    [{}, { targets: { a: target } }, /Cannot benchmark answers: nothing was asked/],
    [{}, { prompts, target, targets: { a: target } }, /both a target and targets/],
    [{}, { environment, targets: { a: target }, prompts }, /both a target and an environment/],
    [{ prompt: "d" }, { prompts, target }, /answers to prompt "d": there is none/],
    [{ prompt: "a" }, { target }, /answers to prompt "a": there is none/],
  ];
  for (const [more, rewarded, message] of wrong) {
    const examples = [{ name: "one", derivation: ["one"], ...more }];
    await assert.rejects(
      () => measured({ examples }, { rewarded }),
      (error) => error instanceof InputError && message.test(error.message),
      `${message}`,
    );
  }
});

Deno.test("what cannot be asked is refused, with its line", async () => {
  const refused = async (run: () => unknown, message: RegExp) =>
    await assert.rejects(
      async () => await run(),
      (error) => error instanceof InputError && message.test(error.message),
    );
  await inFile(
    '{"completion": "x = 1"}\n{"prompt": "which?", "completion": "x = 1"}',
    async (file) => {
      await refused(() => measured({ file }), /jsonl:2 asks: the policy is no language model/);
    },
  );
  await inFile('{"completion": ""}\n', async (file) => {
    await refused(() => measured({ file }), /jsonl:1 as an example: the completion is empty/);
  });
  const examples = [{ name: "mine", derivation: ["thre"] }];
  await refused(() => measured({ examples }), /derivation "mine": choice 1 is "thre"/);
  await refused(() => measured({}, { rewarded: {} }), /neither a target nor an environment/);
  assert.throws(() => benchmark.params.parse({ samples: 8 }), /wanted less than samples = 8/);
});
