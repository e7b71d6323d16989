/** Formulas, and data files whose column names are code that an attacker would like to have run. */
import { type Dataset, makeDataset } from "../../src/base/dataset.ts";
import { checkProgram } from "../../src/engine/language/pymc/check.ts";
import { printGraph } from "../../src/engine/score/printed_graph.ts";
import { checkGrammar } from "../../src/gfn/grammar/check.ts";
import { grammarEnvironment } from "../../src/gfn/grammar/environment.ts";
import { parseFormula } from "../../src/gfn/spaces/formula/parse.ts";
import { regressionGrammar } from "../../src/gfn/spaces/regression/regression.ts";
import { spaceGrammar } from "../../src/gfn/spaces/space.ts";
import { type SpaceName, spaceNames } from "../../src/gfn/spaces/space_names.ts";
import { grammarOfFiles } from "../../stages/program_files/stage.ts";
import type { Door, DoorAttack } from "./attack.ts";

const rows = 60;
const numbers = (k: number) => Float64Array.from({ length: rows }, (_, i) => ((i * k) % 97) / 9);

/** Data with a response, predictors, and perhaps a group of these levels. */
function dataOf(response: string, predictors: readonly string[], levels?: readonly string[]) {
  const codes = (n: number) => Float64Array.from({ length: rows }, (_, i) => i % n);
  return makeDataset("hostile", [
    { name: response, role: "response", type: "real", values: numbers(23757), resolution: 0.01 },
    ...predictors.map((name, i) => ({
      ...{ name, role: "predictor" as const, type: "real" as const },
      values: numbers(39595 + 7919 * i),
    })),
    ...(levels
      ? [{
        ...{ name: "g", role: "group" as const, type: "category" as const, categories: levels },
        values: codes(levels.length),
      }]
      : []),
  ]);
}

/** Scores nothing: how many programs a formula spans, all of them read, and the largest one printed. */
function spanned(formula: string, data: Dataset): string {
  const spec = regressionGrammar(data, { formula: parseFormula(formula), families: ["normal"] });
  checkGrammar(spec, () => undefined);
  const programs = [...grammarEnvironment(spec).enumerate()];
  const graphs = programs.map(({ text }) => checkProgram(text, data));
  const refused = graphs.flatMap((one) => one.ok ? [] : one.diagnostics[0].message);
  if (refused.length > 0) return `${refused.length} of ${programs.length} refused: ${refused[0]}`;
  const last = graphs.at(-1)!;
  if (!last.ok) return "refused";
  const { printed } = printGraph(last.program, data);
  if (!printed.ok) return `not printed: ${printed.what}`;
  const again = /^data\[|\n[^\n"]*\bimport os\b/.test(printed.text)
    ? "RUNS WHAT IT SAYS"
    : "printed";
  return `${programs.length} programs, ${again}`;
}

const column = (name: string, at: string): DoorAttack => ({
  name,
  tried: () => spanned(`y ~ [\`${at}\`]`, dataOf("y", [at])),
  holds: /^2 programs, printed$/,
});

const response = (name: string): DoorAttack => ({
  name: `a response called ${name}`,
  tried: () => spanned(`${name} ~ [x]`, dataOf(name, ["x"])),
  holds: /^2 programs, printed$/,
});

/** Names that mean something to Python, to a grammar, to JavaScript or to the reader of a screen. */
const hostile = [
  'a"] + pm.Normal("n',
  "a\\",
  "a\nimport os",
  "{family}",
  "x # y",
  "\u202eb\u202c",
  "__proto__",
  "log",
  "年龄",
  "$& $' TRIALS",
];

const count = (levels: number) => Float64Array.from({ length: rows }, (_, i) => (i * 7) % levels);

/** Data for any space: the response as it wants it, and one hostile name where it reads a column. */
function dataFor(space: SpaceName, at: string, response: string): Dataset {
  const values = {
    regression: numbers(23757),
    growth: numbers(23757).map((y) => y + 1),
    dose_response: numbers(23757),
    survival: numbers(23757).map((y) => y + 1),
    time_series: numbers(23757),
    ordinal: count(4),
    gaussian_process: numbers(23757),
    pooling: numbers(23757),
  }[space];
  const own = space === "time_series" ? "time" : space === "pooling" ? "group" : "predictor";
  const across = Float64Array.from({ length: rows }, (_, i) => i + 1);
  const type = space === "ordinal" ? "count" : "real";
  const levels = ['p"', "q\nimport os", "{x}"];
  const column = own === "group"
    ? { type: "category" as const, values: count(3), categories: levels }
    : { type: "real" as const, values: across };
  return makeDataset("hostile", [
    {
      name: response,
      role: "response",
      type,
      values,
      ...(type === "real" && { resolution: 0.01 }),
    },
    { name: at, role: own, ...column },
    ...(space === "survival" ? censoring(values) : []),
  ]);
}

function censoring(times: Float64Array) {
  const died = count(2);
  const limits = times.map((time, i) => died[i] ? 99 : time);
  return [
    { name: "died", role: "event" as const, type: "binary" as const, values: died },
    { name: "until", role: "limit" as const, type: "real" as const, values: limits },
  ];
}

const rightSide: Readonly<Record<SpaceName, (name: string) => string>> = {
  regression: (name) => `[${name}]`,
  growth: (name) => name,
  dose_response: (name) => name,
  survival: (name) => `[${name}]`,
  time_series: () => "1",
  ordinal: (name) => `[${name}]`,
  gaussian_process: (name) => name,
  pooling: (name) => `(1 | ${name})`,
};

/** How many programs of a space were checked, one of nine where they are many, where all pass and some read the column. */
function spaceWith(space: SpaceName, at: string, response = "y"): string {
  const data = dataFor(space, at, response);
  const event = space === "survival" ? " | event(died)" : "";
  const formula = `${response}${event} ~ ${rightSide[space](`\`${at}\``)}`;
  const short = space === "gaussian_process" ? { depth: 1 as const } : {};
  const spec = spaceGrammar(data, { space, formula, ...short });
  checkGrammar(spec, () => undefined);
  const all = [...grammarEnvironment(spec).enumerate()];
  const programs = all.filter((_, i) => all.length <= 20 || i % 9 === 0);
  const time = space === "time_series" ? { first: 1 } : undefined;
  const reading = programs.filter(({ text }) => {
    const checked = checkProgram(text, data, "program.py", { time });
    if (!checked.ok) throw new Error(`${checked.diagnostics[0].message} in ${text}`);
    return checked.program.nodes.some((node) => node.kind === "column" && node.column === at);
  });
  return `${programs.length} programs, ${reading.length > 0 ? "read" : "NONE READS IT"}`;
}

const everySpace: readonly DoorAttack[] = spaceNames.flatMap((space) => [
  {
    name: `${space}: a column called like code, a hole, a comment, a prototype`,
    tried: () => [...new Set(hostile.map((name) => spaceWith(space, name)))].join("; "),
    holds: /^\d+ programs, read$/,
  },
  {
    name: `${space}: a response called like a variable of its programs`,
    tried: () => {
      const names = ["sigma", "intercept", "mu", "e0", "shape", "cutpoints", "nu", "rho", "spread"];
      return [...new Set(names.map((name) => spaceWith(space, "x", name)))].join("; ");
    },
    holds: /^\d+ programs, read$/,
  },
]);

const plain = dataOf("y", ["x", "z"]);

/** Attempts by a formula or by names in a data file. */
export const formulas: Door = {
  door: "rank and model_space: formulas, names of columns and levels",
  idea:
    "a name that is code, that ends the comment or the string it stands in, or that a grammar " +
    "takes for a hole; a formula that takes endless time",
  attacks: [
    column("a column that ends the comment it stands in", "a\nimport os"),
    column("the same by a carriage return", "a\rimport os"),
    column("the same by a line separator", "a\u2028import os"),
    column("a column that is a hole of the grammar", "{family}"),
    column("a column with one brace", "a}b"),
    column("a column that ends its string", 'a"] + pm.Normal("n'),
    column("a column that escapes the end of its string", "a\\"),
    column("a column with quotes of both kinds", "a'''b\"\"\"c"),
    column("a column with a zero byte", "a\u0000b"),
    column("a column that is half a surrogate pair", "a\ud800b"),
    column("a column that turns the direction of text", "\u202eb\u202c"),
    column("a column that clears the terminal", "\u001b[2Jb"),
    column("a column called __proto__", "__proto__"),
    column("a column called constructor", "constructor"),
    column("a column called like a function of NumPy", "log"),
    column("a column that is a comment", "x # y"),
    {
      name: "two columns whose names are one to Python",
      tried: () => spanned("y ~ [`a b`] + [a_b] + [a_b_v2]", dataOf("y", ["a b", "a_b", "a_b_v2"])),
      holds: /^8 programs, printed$/,
    },
    {
      name: "two columns without a letter that Python would take",
      tried: () => spanned("y ~ [年龄] + [体重]", dataOf("y", ["年龄", "体重"])),
      holds: /^4 programs, printed$/,
    },
    {
      name: "levels that are code",
      tried: () => {
        const levels = ['a"', "b\\", "c\nimport os", "d'''", "{x}"];
        return spanned("y ~ [x] + [(1 | g)]", dataOf("y", ["x"], levels));
      },
      holds: /^4 programs, printed$/,
    },
    ...["data", "pm", "np", "model", "eta", "lambda", "sigma", "intercept", "b_x"].map(response),
    {
      name: "a formula of 50,000 terms",
      tried: () => spanned(`y ~ ${Array(50_000).fill("[x]").join(" + ")}`, plain),
      holds: /^refused: formula\/long$/,
    },
    {
      name: "a formula of 20,000 characters that are one name",
      tried: () => spanned(`y ~ ${"x".repeat(19_000)}`, plain),
      holds: /^refused: formula\/column$/,
    },
    {
      name: "thirty terms, each by each",
      tried: () => spanned(`y ~ ${Array(30).fill("x").join(" * ")}`, plain),
      holds: /^refused: formula\/crossed$/,
    },
    {
      name: "5,000 opening brackets",
      tried: () => spanned(`y ~ ${"(".repeat(5_000)}`, plain),
      holds: /^refused: formula\/syntax$/,
    },
    {
      name: "programs whose files are called like code",
      tried: () => {
        const names = ['a".py', "b\nimport os.py", "{program}.py", "__proto__", "../c.py", "c.py"];
        const files = names.map((path, i) => ({ path, text: `# program ${i} {x} "` }));
        const programs = [...grammarEnvironment(grammarOfFiles(files)).enumerate()];
        const isSame = programs.every(({ text }, i) => text.trimEnd() === files[i].text);
        return `${programs.length} programs, ${isSame ? "as they stand" : "CHANGED"}`;
      },
      holds: /^6 programs, as they stand$/,
    },
    {
      name: "a formula that looks at the response",
      tried: () => spanned("y ~ [y]", plain),
      holds: /^refused: formula\/response$/,
    },
    ...everySpace,
  ],
};
