/** Wrong programs with their complete messages: reads and writes `wrong/*.txt`. */
import { renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

/** One case: `=== title`, the program, `---`, the message. */
export interface Case {
  readonly title: string;
  readonly program: string;
  readonly message: string;
}

/** The data that every program of the catalogue is checked against. */
export const catalogueData: Dataset = makeDataset("catalogue", [
  { name: "age", role: "predictor", type: "real", values: Float64Array.of(1, 1.5, 0, 4) },
  { name: "depth", role: "predictor", type: "real", values: Float64Array.of(3, 1, 2, 2) },
  {
    name: "site",
    role: "group",
    type: "category",
    values: Float64Array.of(0, 1, 0, 1),
    categories: ["bay", "reef"],
  },
  { name: "note", role: "ignore", type: "real", values: Float64Array.of(1, 2, 3, 4) },
  { name: "length", role: "response", type: "real", values: Float64Array.of(1.8, 1.9, -2, 2.5) },
]);

/** The same data with a response of counts. */
export const countData: Dataset = makeDataset(
  "counts",
  catalogueData.columns.map((c) => (c.role === "response" ? { ...c, type: "count" } : c)),
);

/** The cases of one file. */
export function readCases(text: string): Case[] {
  return text.split(/^=== /m).slice(1).map((block) => {
    const title = block.slice(0, block.indexOf("\n"));
    const [program, message = ""] = block.slice(title.length + 1).split(/^---\n/m);
    return { title, program: decode(program.trimEnd()), message: message.trimEnd() };
  });
}

/** The text of one file. */
export function writeCases(cases: readonly Case[]): string {
  return cases.map(({ title, program, message }) =>
    `=== ${title}\n${encode(program)}\n---\n${message}\n`
  ).join("\n");
}

/** The message that the checker gives now. */
export function messageOf({ title, program }: Case): string {
  const data = title.endsWith("(counts)") ? countData : catalogueData;
  const options = title.endsWith("(in time)") ? { time: { first: 2 } } : {};
  const result = checkProgram(program, data, undefined, options);
  const { ok, diagnostics } = withDiagnostics(result);
  const codes = [...new Set(diagnostics.map(({ code }) => code))].join(", ");
  const text = renderDiagnostics(diagnostics, new Map([["program.py", program]]));
  return `[${codes}]${ok ? " accepted" : ""}\n${text}`;
}

function withDiagnostics(result: ReturnType<typeof checkProgram>) {
  return {
    ok: result.ok,
    diagnostics: result.ok ? result.program.diagnostics : result.diagnostics,
  };
}

/** A tab would be invisible in the files. */
function encode(program: string): string {
  return program.replaceAll("\t", "→");
}

function decode(program: string): string {
  return program.replaceAll("→", "\t");
}
