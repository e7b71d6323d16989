/** Writes the table of all distributions into docs/distributions.md, from the code. */
import type { FamilyDefinition, Support } from "../src/engine/language/distributions/family.ts";
import { families, type FamilyName } from "../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../src/engine/language/ir/builder.ts";

/** Where values lie, in a word. */
const values: { readonly [support in Support]: string } = {
  real: "real",
  positive: "x > 0",
  non_negative: "x ≥ 0",
  unit: "0 ≤ x ≤ 1",
  open_unit: "0 < x < 1",
  interval: "between bounds",
  circle: "−π ≤ x ≤ π",
  count: "0, 1, 2 …",
  binary: "0, 1",
  bounded_count: "0 … n",
  code: "0 … K − 1",
  simplex: "simplex",
  vector: "vector",
  count_vector: "counts, sum n",
  cholesky_factor: "packed factor",
  zero_sum: "sums to 0",
  components: "of its parts",
};

/** Transforms that depend on the distribution: the value of `transform`, in a word. */
const special: Readonly<Partial<Record<Support, string>>> = {
  interval: "interval",
  simplex: "simplex",
  cholesky_factor: "cholesky_factor",
  zero_sum: "zero_sum",
  components: "of its parts",
};

/** Arguments of a family in order, with defaults; those after `*` by keyword only. */
function argumentsOf({ signature }: FamilyDefinition): string {
  const { positional, defaults, keywordOnly = [], keywordSince = [] } = signature;
  const written = (name: string) => {
    const value = defaults[name];
    const text = value === Infinity ? "∞" : value === -Infinity ? "−∞" : value;
    return value === undefined ? name : `${name}=${text}`;
  };
  const free = positional.filter((name) => !keywordSince.includes(name)).map(written);
  const keyed = [...keywordSince, ...keywordOnly].map(written);
  return [...free, ...(keyed.length > 0 ? ["\\*", ...keyed] : [])].join(", ");
}

function formsOf({ signature }: FamilyDefinition): string {
  if (signature.forms.length === 1) return "";
  return signature.forms.map(({ names }) => names.join(" ")).join(" \\| ");
}

function transformNamed([name, family]: [string, FamilyDefinition]): string {
  const { support, discrete, parameters } = family;
  if (discrete) return "–";
  const known = special[support];
  if (known) return known;
  const g = new GraphBuilder();
  const args = parameters.map(() => g.scalar(1));
  const { kind } = family.transform(g, { family: name as FamilyName, args, shape: [] });
  return kind === "identity" ? "–" : kind;
}

/** The table, one row per family that PyMC has a name for. */
export function distributionTable(): string {
  const named = Object.entries(families).filter(([, one]) => !one.ofWindows);
  const rows = named.map(([name, family]) => {
    const names = family.signature.names.map((name) => `\`${name}\``).join(", ");
    const cells = [
      names,
      argumentsOf(family),
      formsOf(family),
      family.parameters.join(", "),
      values[family.support],
      transformNamed([name, family]),
      family.logCdf ? "yes" : "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| `pm.` | Arguments | Parametrisations | Canonical parameters | Values | Transform | Cumulative |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Lines that enclose the table in the page. */
export const tableMarks = ["<!-- table of distributions -->", "<!-- end of the table -->"] as const;

if (import.meta.main) {
  const page = new URL("../docs/distributions.md", import.meta.url);
  const text = Deno.readTextFileSync(page);
  const [before, rest] = text.split(tableMarks[0]);
  const after = rest.split(tableMarks[1])[1];
  const table = `${tableMarks[0]}\n\n${distributionTable()}\n\n${tableMarks[1]}`;
  Deno.writeTextFileSync(page, before + table + after);
}
