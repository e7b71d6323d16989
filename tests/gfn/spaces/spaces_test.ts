/** Laws of every kind of space: programs that check, priors that add up, a grammar that is ejected whole. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { checkGrammar } from "../../../src/gfn/grammar/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { readGrammar } from "../../../src/gfn/grammar/read.ts";
import { grammarText } from "../../../src/gfn/grammar/write.ts";
import { describeSpace } from "../../../src/gfn/spaces/describe.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { spaceCases } from "./cases.ts";

for (const { spec, dataset, options, programs } of spaceCases) {
  const title = `${spec.space} of ${dataset.name}`;
  const grammar = spaceGrammar(dataset, spec);
  const objects = [...grammarEnvironment(grammar).enumerate()];

  Deno.test(`a program with every production is well-formed: ${title}`, () => {
    checkGrammar(grammar, () => undefined);
    assert.equal(objects.length, programs);
    const seen = new Set<string>();
    for (const { text, features } of objects) {
      if (features.every((one) => seen.has(one))) continue;
      features.forEach((one) => seen.add(one));
      const checked = checkProgram(text, dataset, undefined, options);
      assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
    }
  });

  Deno.test(`priors add up to one: ${title}`, () => {
    const mass = objects.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
    assert.ok(Math.abs(mass - 1) < 1e-9, `${mass}`);
  });

  Deno.test(`the ejected grammar has the same programs, priors and questions: ${title}`, () => {
    const text = grammarText(grammar, ["made of", "…"]);
    const again = readGrammar(parseTomlFile(text, "ejected.toml"), "ejected.toml");
    assert.deepEqual(again, grammar);
    const others = [...grammarEnvironment(again).enumerate()];
    assert.deepEqual(others, objects);
  });

  Deno.test(`it shows itself in words and numbers: ${title}`, () => {
    const [first, ...lines] = describeSpace(grammar, objects.length);
    assert.match(first, new RegExp(`^${programs} programs over [1-9] questions?$`));
    assert.equal(lines.length, grammar.holes.length);
  });
}

/** Questions whose answers have priors, by space; the rest have none that could be wider. */
const wide: Readonly<Record<string, readonly string[]>> = {
  "regression of dugongs": ["age | log(age)", "sigma: age", "family"],
  "regression of seeds": ["seed_type", "root_extract", "seed_type:root_extract", "family"],
  "growth of dugongs": ["curve", "family"],
  "dose_response of beetles_bliss": ["curve", "family"],
  "survival of leukaemia_remission": ["treatment", "family"],
  "time_series of peregrines_french_jura_real": ["level", "trend", "season", "family"],
  "ordinal of cheese_tasting": ["cheese"],
  "gaussian_process of dugongs": ["kernel"],
  "pooling of eight_schools": ["pooling", "family"],
};

for (const { spec, dataset, options } of spaceCases) {
  const questions = spaceGrammar(dataset, spec).holes.flatMap(({ question = [] }) => question);
  for (const question of questions) {
    const has = (priors: SpaceSpec["priors"]) => spaceGrammar(dataset, { ...spec, priors });
    const widths = { [question]: { width: [0.5, 3] } };
    if (!wide[`${spec.space} of ${dataset.name}`]?.includes(question)) {
      Deno.test(`a question without priors has no widths: ${question} of ${dataset.name}`, () => {
        assert.throws(() => has(widths), /has a prior whose width/);
      });
      continue;
    }
    Deno.test(`widths of ${question} of ${dataset.name} are averaged over`, () => {
      const objects = [...grammarEnvironment(has(widths)).enumerate()];
      const texts = (factor: number) => {
        const priors = { [question]: { width: [factor] } };
        return [...grammarEnvironment(has(priors)).enumerate()].map(({ text }) => text);
      };
      const usual = [...grammarEnvironment(has({})).enumerate()].map(({ text }) => text);
      const same = texts(1).map((text) => text.replaceAll("1 * ", "").replaceAll(" / 1)", ")"));
      assert.deepEqual(same, usual.map((text) => text.replaceAll("1 * ", "")));
      const [narrow, broad] = [texts(0.5), texts(3)];
      assert.ok(narrow.some((text, i) => text !== broad[i]));
      const changed = narrow.filter((text, i) => text !== broad[i]).length;
      assert.equal(objects.length, usual.length + changed);
      const mass = objects.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
      assert.ok(Math.abs(mass - 1) < 1e-9, `${mass}`);
      const text = objects.find(({ text }) => /^ +w_\w+ = 3$/m.test(text))!.text;
      const checked = checkProgram(text, dataset, undefined, options);
      assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
    });
  }
}

const rows = 20;
const numbers = (f: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => f(i));
const column = (name: string, role: Column["role"], values: Float64Array, more = {}): Column => ({
  ...{ name, role, type: "real", values, ...more },
});
const y = column("y", "response", numbers((i) => 1 + (i * 7) % 11), { resolution: "continuous" });
const x = column("x", "predictor", numbers((i) => i / 2));
const clock = column("day", "time", numbers((i) => i));
const site = column("site", "group", numbers((i) => i % 2), {
  ...{ type: "category", categories: ["a", "b"] },
});
const dataOf = (...columns: readonly Column[]) => makeDataset("made", columns);
const plain = dataOf(y, x, clock, site);
const few = dataOf(
  { ...y, values: y.values.slice(0, 6) },
  { ...x, values: x.values.slice(0, 6) },
  { ...clock, values: clock.values.slice(0, 6) },
);
const below = dataOf({ ...y, values: y.values.map((value) => value - 5) }, x);
const died = column("died", "event", numbers((i) => i % 2), { type: "binary" });
const rating = column("y", "response", numbers((i) => i % 4), { type: "count" });

/** The fault, the data, the space, the message, and its mend: any text, if left out. */
type Wrong = readonly [string, ReturnType<typeof dataOf>, SpaceSpec, RegExp, RegExp?];

const wrong: readonly Wrong[] = [
  ["two columns", plain, { space: "growth", formula: "y ~ x + site" }, /one response and one/],
  ["brackets", plain, { space: "growth", formula: "y ~ [x]" }, /without brackets/],
  ["few rows", few, { space: "growth", formula: "y ~ x" }, /on 6 rows: wanted at least 8/],
  ["size below 0", below, { space: "growth", formula: "y ~ x" }, /as a size: it is -4 in row 1/],
  [
    "a curve that wants ages",
    plain,
    { space: "growth", formula: "y ~ x", curves: ["power"] },
    /Cannot use the curve power: an age is 0 in row 1/,
  ],
  [
    "a negative dose",
    dataOf(y, { ...x, values: x.values.map((value) => value - 2) }),
    { space: "dose_response", formula: "y ~ x" },
    /as a dose: it is -2 in row 1/,
  ],
  [
    "few doses",
    dataOf(y, { ...x, values: x.values.map((_, i) => i % 3) }),
    { space: "dose_response", formula: "y ~ x", curves: ["hill"] },
    /there are 3 different doses, wanted at least 4/,
  ],
  [
    "a logarithm of no dose",
    plain,
    { space: "dose_response", formula: "y ~ x", curves: ["log_dose"] },
    /a dose is 0, which has no logarithm/,
  ],
  [
    "counts, of nobody knows how many",
    dataOf({ ...rating, name: "dead ones" }, x),
    { space: "dose_response", formula: "`dead ones` ~ x" },
    /Cannot use family normal of "dead ones": it holds counts/,
    /^successes among n: `dead ones` \| trials\(n\) ~ x; .* --resolution 1/,
  ],
  ["a time of 0", below, { space: "survival", formula: "y ~ [x]" }, /as a time: it is -4 in row 1/],
  [
    "an event with another role",
    plain,
    { space: "survival", formula: "y | event(x) ~ 1" },
    /Cannot use event\(x\): its role is predictor/,
  ],
  [
    "an event unsaid",
    dataOf(y, x, died),
    { space: "survival", formula: "y ~ [x]" },
    /what "died" is for/,
  ],
  [
    "an event on the right",
    dataOf(y, x, died),
    { space: "survival", formula: "y | event(died) ~ [died]" },
    /its role is event/,
  ],
  ["no time", dataOf(y, x), { space: "time_series", formula: "y ~ 1" }, /the order of the rows/],
  ["few times", few, { space: "time_series", formula: "y ~ 1" }, /of 6 rows: wanted at least 12/],
  [
    "a gap",
    dataOf(y, { ...clock, values: clock.values.map((day, i) => day + (i > 9 ? 3 : 0)) }),
    { space: "time_series", formula: "y ~ 1" },
    /9 is followed by 13/,
  ],
  [
    "a tie",
    dataOf(y, { ...clock, values: clock.values.map((day) => Math.max(day, 1)) }),
    { space: "time_series", formula: "y ~ 1" },
    /two rows have the time 1/,
  ],
  [
    "a short period",
    plain,
    { space: "time_series", formula: "y ~ 1", period: 1.5 },
    /Cannot use period = 1.5/,
  ],
  ["fractions as levels", dataOf({ ...y, values: x.values }, x), {
    ...{ space: "ordinal", formula: "y ~ 1" },
  }, /as levels: it is 0.5 in row 2/],
  [
    "levels from 1 on",
    dataOf({ ...rating, values: rating.values.map((value) => value + 1) }, x),
    { space: "ordinal", formula: "y ~ [x]" },
    /begin with 1, and levels with 0/,
  ],
  [
    "a level without rows",
    dataOf({ ...rating, values: rating.values.map((value) => (value === 2 ? 1 : value)) }, x),
    { space: "ordinal", formula: "y ~ [x]" },
    /no row is at level 2/,
  ],
  [
    "two levels",
    dataOf({ ...rating, values: rating.values.map((value) => value % 2) }, x),
    { space: "ordinal", formula: "y ~ [x]" },
    /there are 2, wanted 3 to 20/,
  ],
  ["no group", plain, { space: "pooling", formula: "y ~ x" }, /one response and one group/],
  [
    "one group",
    dataOf(y, { ...site, values: numbers(() => 0), categories: ["a"] }),
    { space: "pooling", formula: "y ~ (1 | site)" },
    /it has 1 level/,
  ],
  [
    "one row each",
    dataOf(y, { ...site, values: numbers((i) => i), categories: [...y.values.keys()].map(String) }),
    { space: "pooling", formula: "y ~ (1 | site)" },
    /each of its 20 levels has one row/,
  ],
  [
    "errors of 0",
    plain,
    { space: "pooling", formula: "y | error(x) ~ (1 | site)" },
    /Cannot use se\(x\): it is 0 in row 1/,
  ],
  [
    "a key of another space",
    plain,
    { space: "regression", formula: "y ~ x", curves: ["linear"] },
    /it has no key curves/,
  ],
  [
    "a family of another space",
    plain,
    { space: "survival", formula: "y ~ x", families: ["poisson"] },
    /families has no "poisson"/,
    /^space = "regression" has it \(--space regression\); known: weibull/,
  ],
  [
    "a family by its name elsewhere",
    plain,
    { space: "regression", formula: "y ~ x", families: ["gaussian"] },
    /families has no "gaussian"/,
    /^did you mean "normal"\? known: normal/,
  ],
];

for (const [what, dataset, spec, message, mend = /./] of wrong) {
  Deno.test(`refused with what to do: ${spec.space}, ${what}`, () => {
    assert.throws(() => spaceGrammar(dataset, spec), (error) => {
      assert.ok(error instanceof InputError, String(error));
      assert.match(error.diagnostics[0].message, message);
      assert.match(error.diagnostics[0].hint!, mend);
      return true;
    });
  });
}
