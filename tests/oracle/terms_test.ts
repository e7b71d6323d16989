/** Terms that oracles answer: allowed pipelines, and the message of each mistake. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import { Judging } from "../../stages/judge/judging.ts";
import { oracleTerms } from "../../stages/target/oracle_terms.ts";
import { prompts } from "../../stages/common/oracle_rewards.ts";
import { requirePrograms } from "../../stages/common/require_programs.ts";
import { fakeContext, smallEnvironment } from "../stages/fixtures.ts";
import { withProject } from "../pipeline/run/project.ts";
import { fourGrammar, fourTexts, listed, resolveBuiltIn } from "./run_oracles.ts";

async function complaintOf(edit: (toml: string) => string): Promise<string> {
  let said = "";
  await withProject(async (project) => {
    project.write("texts.json", listed);
    project.write("four.toml", fourGrammar);
    try {
      await resolveBuiltIn(project, edit(fourTexts));
    } catch (error) {
      assert.ok(error instanceof InputError);
      said = error.diagnostics.map(({ message, hint }) => `${message}; ${hint ?? ""}`).join("\n");
    }
  });
  return said;
}

const first = '{ oracle = "p", of = "x" },';
const complaints: [string, [string, string], RegExp][] = [
  [
    "an oracle that is no stage",
    [first, '{ oracle = "q", of = "x" },'],
    /log_reward\[?\.?0\]?\.oracle is "q", but there is no stage "q"/,
  ],
  [
    "a stage that is no oracle",
    [first, '{ oracle = "texts", of = "x" },'],
    /which gives environment, wanted oracle; these give oracle: "p"/,
  ],
  ["a weight of 0", ["weight = 4", "weight = 0"], /wanted another weight than 0/],
  [
    "an empty completion",
    ['answer = "yes"', 'answer = ""'],
    /answer is "", wanted text of at least 1 character/,
  ],
  [
    "y|x without a template",
    ['template = "Q: {{ x }}", ', ""],
    /missing key "template" in log_reward/,
  ],
  ["y|x without an answer", ['answer = "yes", ', ""], /missing key "answer" in log_reward/],
  [
    "x with an answer",
    [first, '{ oracle = "p", of = "x", answer = "yes" },'],
    /scores the object alone: leave out answer/,
  ],
  [
    "an answer with something given",
    ['answer = "yes"', 'answer = "yes", given = "Q:"'],
    /is given what its template makes: leave out given/,
  ],
  [
    "x in a conversation that nobody begins",
    [first, '{ oracle = "p", of = "x", chat = true },'],
    /wanted given beside it/,
  ],
  [
    "a critic that is no stage",
    [first, '{ judge = "llm_critic", oracle = "q", rubric = "Good?" },'],
    /log_reward\[?\.?0\]?\.oracle is "q", but there is no stage "q"/,
  ],
  [
    "a critic of a rubric that is no oracle",
    [
      first,
      '{ judge = "rubric", criteria = [{ name = "a", question = "Good?", oracle = "texts" }] },',
    ],
    /criteria\[?\.?0\]?\.oracle is "texts", which gives environment, wanted oracle/,
  ],
  [
    "a critic without a rubric",
    [first, '{ judge = "llm_critic", oracle = "p" },'],
    /missing key "rubric"/,
  ],
  [
    "a misspelt key of a judge",
    [first, '{ judge = "format", forbiden = ["x"] },'],
    /unknown key "forbiden".*did you mean "forbidden"/,
  ],
  [
    "a question that nobody answers",
    [first, '{ judge = "rubric", criteria = [{ name = "a", question = "Good?" }] },'],
    /missing key "oracle"/,
  ],
  [
    "a criterion of words and of an oracle",
    [
      first,
      '{ judge = "rubric", criteria = [{ name = "a", contains = ["x"], question = "Good?", oracle = "p" }] },',
    ],
    /an oracle answers the question: leave out contains/,
  ],
  [
    "a criterion that says nothing",
    [first, '{ judge = "rubric", criteria = [{ name = "a" }] },'],
    /wanted contains, lacks or most_lines beside it/,
  ],
  [
    "two criteria of one name",
    [
      first,
      '{ judge = "rubric", criteria = [{ name = "a", lacks = ["x"] }, { name = "a", lacks = ["y"] }] },',
    ],
    /two criteria have the same name/,
  ],
  [
    "grades that are not those of the answers",
    [first, '{ judge = "llm_critic", oracle = "p", rubric = "Good?", grades = [0, 1] },'],
    /wanted 5 numbers, one for each answer/,
  ],
  [
    "answers that are alike",
    [first, '{ judge = "llm_critic", oracle = "p", rubric = "Good?", answers = ["1", "1"] },'],
    /two answers are alike/,
  ],
  [
    "a composite of nothing",
    [first, '{ judge = "composite", by = "sum", parts = [] },'],
    /parts is an empty list, wanted a list of at least 1 item/,
  ],
  [
    "a composite of a likelihood",
    [first, '{ judge = "composite", by = "sum", parts = [{ judge = "elpd_loo" }] },'],
    /wanted one of "format", "rubric", "llm_critic"|parts.*judge is "elpd_loo"/,
  ],
  ["a system text without a conversation", ["weight = 4", 'system = "Be short."'], /chat = true/],
];

for (const [what, [from, to], message] of complaints) {
  Deno.test(`a target is refused for ${what}`, async () => {
    assert(fourTexts.includes(from));
    assert.match(await complaintOf((toml) => toml.replace(from, to)), message);
  });
}

Deno.test("a target of two terms is well formed", async () => {
  assert.equal(await complaintOf((toml) => toml), "");
});

const oracle: OracleRecord = {
  config: { kind: "table", entries: [] },
  ...{ model: "fake", model_sha256: "ab", computes: "fake", begin: null, begin_is_added: false },
  ...{ end: null, system_text: null, chat_template: null },
};
const about = { of: "y|x", answer: "yes", weight: 1, oracle: "p" } as const;
const terms = (template: string, more: object = {}, record = oracle) =>
  oracleTerms([{ ...about, template, ...more }], { p: record });

Deno.test("a template that lacks its variable, names another or raises is refused at once", () => {
  assert.throws(() => terms("Answer:"), /it lacks {{ x }}/);
  assert.throws(() => terms("{{ x }} {{ y }}"), /it names "y", which has no value/);
  assert.throws(() => terms("{{ x }"), /Cannot read template/);
  assert.throws(() => terms("{{ raise_exception('no ' + x) }}"), /Cannot apply template .*no x/);
});

Deno.test("a conversation is by the model's own template, with another system text if one is given", () => {
  assert.throws(() => terms("{{ x }}", { chat: true }), /it has no chat template/);
  const chat_template = "{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}" +
    "{% if add_generation_prompt %}[assistant]{% endif %}";
  const talking = { ...oracle, chat_template };
  const [plain] = terms("{{ x }}?", { chat: true }, talking);
  assert.deepEqual(prompts(plain)("why"), {
    ...{ given: "[user] why? [assistant]", scored: " yes", chat: true },
  });
  const [told] = terms("{{ x }}?", { chat: true, system: "Be short." }, talking);
  assert.equal(prompts(told)("why").given, "[system] Be short. [user] why? [assistant]");
});

Deno.test("an object is scored behind what is given, as it is or as a turn", () => {
  const of = (more: object, record = oracle) =>
    prompts(oracleTerms([{ oracle: "p", of: "x", weight: 1, ...more }], { p: record })[0])("why");
  assert.deepEqual(of({}), { scored: "why" });
  assert.deepEqual(of({ given: "Ask:" }), { given: "Ask:", scored: "why" });
  const chat_template = "{% for m in messages %}[{{ m.role }}] {{ m.content }} {% endfor %}";
  const asked = of({ given: "Ask.", chat: true, system: "Hm." }, { ...oracle, chat_template });
  assert.deepEqual(asked, { given: "[system] Hm. [user] Ask. ", scored: "why", chat: true });
});

Deno.test("an object that is the empty text is refused", () => {
  const [term] = oracleTerms([{ oracle: "p", of: "x", weight: 1 }], { p: oracle });
  assert.throws(() => prompts(term)(""), /is the empty text/);
});

Deno.test("what executes or looks into programs refuses a target of texts", () => {
  const target = { environment: smallEnvironment(), oracles: [] };
  assert.throws(() => requirePrograms(target, "execute programs", ""), /by oracles alone/);
});

Deno.test("judge says what to wire where its target wants the other", async () => {
  const target = { environment: smallEnvironment(), oracles: [] };
  const run = () => new Judging().run(fakeContext(), { target });
  await assert.rejects(run, /nothing is executed, and that is not wired/);
});
