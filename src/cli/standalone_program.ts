/** A program as a file of its own, printed from its graph: loads the data, samples and scores itself. */
import type { Dataset } from "../base/dataset.ts";
import { commentText, isTable } from "../engine/language/print/mod.ts";
import type { PrintedGraph, PrintedProgram } from "../engine/score/mod.ts";

/** Facts for the file's heading. */
interface ProgramFacts {
  /** As its author wrote it. */
  readonly text: string;
  readonly features: readonly string[];
  readonly target: number;
  readonly elpd_loo: number | null;
  /** Unit left out at once: `row`, `group` or `future`. */
  readonly unit?: string | null;
  readonly se: number | null;
  /** Of the graph that was scored, from its record. */
  readonly canonical_hash?: string | null;
}

const sampling = `
if __name__ == "__main__":
    import arviz as az

    with model:
        trace = pm.sample(
            draws=1000, tune=1000, chains=4, random_seed=1, idata_kwargs={"log_likelihood": True}
        )
    print(az.summary(trace))
    print(az.loo(trace))
`;

/**
 * Python source. The code is the printed graph; the author's text is a comment. Without a graph, or
 * where it has no text, the file states that and runs nothing.
 *
 * @param graph what the printer made of the graph, or why there is none.
 */
export function standaloneProgram(
  facts: ProgramFacts,
  dataset: Dataset,
  graph: PrintedGraph | string,
): string {
  const printed: PrintedProgram = typeof graph === "string"
    ? { ok: false, what: graph }
    : graph.printed;
  const hash = typeof graph === "string" ? undefined : graph.hash;
  const head = [headOf(facts, dataset), ...proofOf(printed, hash, facts), ...dataOf(dataset)];
  const code = printed.ok
    ? `${printed.text}${sampling}`
    : 'raise SystemExit("this program could not be printed: see the head of the file")\n';
  return [
    // Python looks for a declaration of another encoding in the first two lines.
    "# Canonical PyMC, printed from a graph; nothing of its author's text is code.",
    "#",
    commentText(head.join("\n")),
    "",
    code,
    "# The text of the author, for comparison. What could end a line or hide is escaped.",
    "#",
    commentText(facts.text.trim()),
    "",
  ].join("\n");
}

function headOf({ features, target, elpd_loo, se, unit }: ProgramFacts, { name }: Dataset): string {
  const score = elpd_loo === null
    ? "could not be scored"
    : `${unit === "future" ? "ELPD-LFO" : "ELPD-LOO"} ${elpd_loo.toFixed(2)} ± ${
      (se ?? 0).toFixed(2)
    }`;
  const share = `Weight ${(100 * target).toFixed(3)} % of the target`;
  return [
    `${features.join(", ")}\n${share}; ${score} on "${name}".`,
    ...otherUnit[unit ?? "row"] ?? [],
  ]
    .join("\n");
}

/** Lines where the score left out another unit: `az.loo` at the end of the file leaves out one row. */
const otherUnit: Record<string, readonly string[]> = {
  group: [
    "That leaves out a whole group at a time; az.loo below leaves out single rows,",
    "which is another number.",
  ],
  future: [
    "That predicts each row from those before it; az.loo below leaves out single rows,",
    "which is another number.",
  ],
};

/** Proof that the code below is the scored program, as far as there is one. */
function proofOf(
  printed: PrintedProgram,
  hash: string | undefined,
  { canonical_hash: recorded }: ProgramFacts,
): string[] {
  if (!printed.ok) return [`NOT PRINTED: ${printed.what}.`];
  const { proof } = printed;
  const lines: string[] = [];
  if (proof.kind === "unproven") {
    lines.push(`NOT PROVEN to be the program that was scored: ${proof.why}.`);
  } else if (proof.kind === "equal") {
    lines.push(`Read back, it has the log densities of the graph at ${proof.points} points,`);
    lines.push("but another canonical hash.");
  } else lines.push(`Read back, it has the canonical hash of the graph: ${hash}.`);
  if (recorded && recorded !== hash) {
    lines.push(`NOT PROVEN: the record of its score has another canonical hash, ${recorded}.`);
  } else if (!recorded) lines.push("The record of its score has no canonical hash to compare.");
  return lines;
}

function dataOf(dataset: Dataset): string[] {
  const { rows, holdout } = dataset;
  const file = isTable(dataset) ? "data.csv" : "data.json";
  const withheld = holdout
    ? ` ${holdout.rows} rows, which no program saw, are in ${file.replace("data", "withheld")}.`
    : "";
  return [
    `Run it beside ${file} (${rows} rows): it samples and scores itself with PyMC and ArviZ.`,
    ...withheld === "" ? [] : [withheld.trim()],
  ];
}
