/** A policy that answers by lines is certified: good ones pass, collapses do not, liars are refused. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { certifyByLines } from "../../src/cli/foreign_policy.ts";
import { runCommand } from "../../src/cli/run_command.ts";

/** Log R of eight bits: a field, and the third wants the second. */
const logReward = (bits: readonly number[]) =>
  bits.reduce((sum, bit, k) => sum + bit * (0.4 * k - 1.5), 0) + 2 * bits[1] * bits[2];

const all = Array.from(
  { length: 2 ** 8 },
  (_, i) => [...i.toString(2).padStart(8, "0")].map(Number),
);

interface Policy {
  readonly logProb: (bits: readonly number[]) => number;
  readonly draw: (random: RandomStream) => readonly number[];
}

/** The policy P ∝ R × weight, by a table. */
function tableOf(weight: (bits: readonly number[]) => number): Policy {
  const masses = all.map((bits) => Math.exp(logReward(bits)) * weight(bits));
  const total = masses.reduce((a, b) => a + b, 0);
  const known = new Map(all.map((bits, i) => [`${bits}`, masses[i] / total]));
  return {
    logProb: (bits) => Math.log(known.get(`${bits}`)!),
    draw: (random) => {
      let left = random.uniform() * total;
      return all.find((_, i) => (left -= masses[i]) < 0) ?? all[0];
    },
  };
}

type Answer = (question: Record<string, unknown>) => unknown;

/** Answers to the protocol's requests by a policy. */
const answers = ({ logProb, draw }: Policy): Answer => ({ ask, objects, count, seed }) => {
  const valued = (of: (bits: readonly number[]) => number) => ({
    values: (objects as number[][]).map((bits) => Number.isFinite(of(bits)) ? of(bits) : null),
  });
  if (ask === "log_prob") return valued(logProb);
  if (ask === "log_reward") return valued(logReward);
  const random = new RandomStream("policy", Number(seed));
  return { objects: Array.from({ length: Number(count) }, () => draw(random)) };
};

/** Talks until there is a certificate. */
async function talk(answer: Answer, about: object = {}) {
  const first = { choices: Array(8).fill(2), seed: "a reader's", samples: 400, ...about };
  const queue = [JSON.stringify(first)];
  let certificate: { verdict: string; tv_lower: number; rewards: number } | undefined;
  const lines = (async function* () {
    while (queue.length > 0) yield queue.shift()!;
  })();
  await certifyByLines(lines, (line) => {
    const said = JSON.parse(line);
    if ("certificate" in said) certificate = said.certificate;
    else {
      const answered = answer(said);
      queue.push(typeof answered === "string" ? answered : JSON.stringify(answered));
    }
  });
  return certificate!;
}

const third = (bits: readonly number[]) => bits[2] === 1 ? 0 : 1;

Deno.test("a good policy from elsewhere is consistent, a collapsed one is bounded below its distance", async () => {
  const good = await talk(answers(tableOf((bits) => 1 + 0.02 * (bits[0] - bits[5]))));
  assert.equal(good.verdict, "consistent");
  assert(good.tv_lower < 0.02);
  const lost = tableOf(third);
  const missed = all.reduce((sum, bits) => sum + (third(bits) ? 0 : Math.exp(logReward(bits))), 0);
  const tv = missed / all.reduce((sum, bits) => sum + Math.exp(logReward(bits)), 0);
  for (const about of [{ budget: 160 }, { budget: 160, list_at_most: 0 }]) {
    const collapsed = await talk(answers(lost), about);
    assert.equal(collapsed.verdict, "bounded");
    assert(
      collapsed.tv_lower > 0.7 * tv && collapsed.tv_lower <= tv + 1e-9,
      `${collapsed.tv_lower} of ${tv}`,
    );
    assert(collapsed.rewards <= 160);
  }
});

Deno.test("where the budget reaches all objects, they are counted", async () => {
  const found = await talk(answers(tableOf(third)), { budget: 300 });
  const lost = all.reduce((sum, bits) => sum + (third(bits) ? 0 : Math.exp(logReward(bits))), 0);
  const tv = lost / all.reduce((sum, bits) => sum + Math.exp(logReward(bits)), 0);
  assert.equal(found.verdict, "exact");
  assert(Math.abs(found.tv_lower - tv) < 1e-9);
});

Deno.test("samples that are not of their log probabilities are refused", async () => {
  const [whole, lost] = [tableOf(() => 1), tableOf(third)];
  const liar = answers({ logProb: whole.logProb, draw: lost.draw });
  await assert.rejects(talk(liar), /have 0 at place 1, to which log_prob gives/);
  await assert.rejects(talk(liar, { list_at_most: 0 }), /drawn before, to which log_prob gives/);
  const off = (nats: number) =>
    answers({ ...whole, logProb: (bits) => whole.logProb(bits) + nats });
  await assert.rejects(
    talk(off(0.7)),
    /not normalised: the \d+ objects that were drawn have 1\.\d+/,
  );
  await assert.rejects(talk(off(-0.7)), /not normalised: all 256 objects have 0\.4966 together/);
  const never = answers({ logProb: lost.logProb, draw: whole.draw });
  await assert.rejects(talk(never), /a sample \[.*\] has log_prob −∞/);
});

Deno.test("lines that are no answers are refused, each by what it is an answer to", async () => {
  const good = answers(tableOf(() => 1));
  const wrong = (ask: string, answer: unknown): Answer => (question) =>
    question.ask === ask ? answer : good(question);
  const cases: readonly (readonly [Answer, object, RegExp])[] = [
    [wrong("sample", "no JSON"), {}, /answer to "sample" is "no JSON", which is no JSON/],
    [
      wrong("sample", { objects: [[0, 1]] }),
      {},
      /answer to "sample" is \[0, 1\]; wanted 8 to 8 choices/,
    ],
    [wrong("sample", { objects: [Array(8).fill(2)] }), {}, /each from 0 to less than there are/],
    [wrong("sample", { objects: [] }), {}, /sample answered 0 of 50 samples/],
    [wrong("log_prob", { values: [0] }), {}, /log_prob answered 1 values for \d+ objects/],
    [wrong("log_reward", { value: [0] }), {}, /answer to "log_reward" is values is wrong/],
    [good, { choices: [2, 0] }, /choices\[1\] is 0/],
    [good, { choices: [] }, /first line is choices is wrong/],
  ];
  for (const [answer, about, message] of cases) await assert.rejects(talk(answer, about), message);
  const ends = certifyByLines((async function* () {})(), () => {});
  await assert.rejects(ends, /first line is nothing: standard input has ended/);
});

Deno.test("certify --stdio takes no run, and no seed but that of the first line", async () => {
  for (const words of [["last"], ["--seed", "x"], ["--seeds", "2"], ["--project", "."]]) {
    assert.equal(await runCommand(["certify", "--stdio", ...words]), 2, words.join(" "));
  }
});
