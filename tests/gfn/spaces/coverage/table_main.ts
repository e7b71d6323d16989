/**
 * The tables of coverage from finished data sets: `deno task coverage:table [--dir DIR] [--write]`
 * prints them, or writes them into bench/results/spaces.md.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { SpaceName } from "../../../../src/gfn/spaces/space_names.ts";
import { type Coverage, coverageOf, type Interval, type Share } from "./coverage_of.ts";
import { readRecords } from "./records.ts";
import { simulations } from "./simulations/mod.ts";

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: ".sluice/coverage" },
    write: { type: "boolean", default: false },
  },
});
const marks = ["<!-- coverage of spaces -->", "<!-- end of coverage of spaces -->"] as const;

const found = new Map<SpaceName, Coverage>();
for (const space of Object.keys(simulations) as SpaceName[]) {
  const records = await readRecords(join(values.dir, `${space}.jsonl`));
  if (records.length > 0) found.set(space, coverageOf(records));
}
if (found.size === 0) {
  console.error(
    `Cannot tabulate ${values.dir}: no finished data set is there\n` +
      "  mend: deno task coverage:spaces, or --dir",
  );
  Deno.exit(2);
}
const text = [answersTable(), differencesTable(), pairsTable()].join("\n\n");
if (values.write) await write(text);
else console.log(text);

function answersTable(): string {
  return table(
    "space | data | sets | strong found | absent claimed | 95 % set holds the truth | of programs | weights covered | by rows alone",
    (coverage, space) => [
      ...[simulations[space].words, `${coverage.sets}`],
      ...[coverage.found, coverage.claimed, coverage.holdsTrue].map(shown),
      coverage.sizeOfSet.toFixed(1),
      shown(coverage.weights),
      shown(coverage.weightsOfRows),
    ],
  );
}

function differencesTable(): string {
  const of = (coverage: Coverage, kind: Interval) => coverage.differences[kind];
  return table(
    "space | differences | rows alone | rows alone, below 4 | whole error | whole, below 4 | whole, 4 or more | rows alone, any data | whole, any data | error of the truth",
    (coverage) => [
      `${of(coverage, "whole_mean").all.count}`,
      shown(of(coverage, "rows_given").all),
      shown(of(coverage, "rows_given").small),
      ...(["all", "small", "large"] as const).map((size) =>
        shown(of(coverage, "whole_given")[size])
      ),
      shown(of(coverage, "rows_mean").all),
      shown(of(coverage, "whole_mean").all),
      coverage.truthError > 0 ? coverage.truthError.toFixed(2) : "–",
    ],
  );
}

/** The least covered differences of each space. */
function pairsTable(): string {
  return table("space | least covered | share | next | share", (coverage) => {
    const order = [...coverage.pairs].sort(([, a], [, b]) => a.share - b.share);
    return order.slice(0, 2).flatMap(([name, share]) => [name, shown(share)]);
  });
}

function table(head: string, cells: (one: Coverage, space: SpaceName) => string[]): string {
  const rule = head.split("|").map(() => "---").join(" | ");
  const rows = [...found].map(([space, one]) => [`\`${space}\``, ...cells(one, space)].join(" | "));
  return [head, rule, ...rows].map((row) => `| ${row} |`).join("\n");
}

function shown(share: Share): string {
  if (share.count === 0) return "–";
  return `${(100 * share.share).toFixed(1)} ± ${(100 * share.error).toFixed(1)} %`;
}

async function write(tables: string): Promise<void> {
  const page = new URL("../../../../bench/results/spaces.md", import.meta.url);
  const [before, rest] = (await Deno.readTextFile(page)).split(marks[0]);
  const after = rest.split(marks[1])[1];
  await Deno.writeTextFile(page, `${before}${marks[0]}\n\n${tables}\n\n${marks[1]}${after}`);
}
