/**
 * Draws docs/certificate_good.svg and docs/certificate_collapsed.svg: a grid's target, what a policy
 * makes of it, and what the certificate of the same policy says that could not count. Runs of
 * pipelines/benchmarks/hypergrid.toml; docs/certificates.md has their commands:
 *
 * deno run --allow-read --allow-write=docs --allow-env --allow-sys --allow-ffi \
 *   tools/certificate_pictures.ts NAME COUNTED CERTIFIED
 */
import { fileURLToPath } from "node:url";
import { query } from "../src/pipeline/store/query.ts";
import { svgOf, type TopLevelSpec } from "../src/report/figures/svg.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

const root = fileURLToPath(new URL("..", import.meta.url));

async function ask(run: string, sql: string): Promise<Rows> {
  return (await query(root, sql, { run })).objects();
}

/** A cell is called "(3, 12)". */
const cellSql = `
  select cast(regexp_extract(text, '(\\d+), (\\d+)', 1) as int) as x,
    cast(regexp_extract(text, '(\\d+), (\\d+)', 2) as int) as y,
    exp(log_target) as target, exp(log_policy) as policy
  from (select program as text, log_target, log_policy from enumeration
    where stage = 'evaluate' and step = 0)`;

const verdictSql = `
  select max(case when measure = 'verdict' then method end) as verdict,
    max(case when measure = 'tv_lower' then value end) as bound
  from evaluation where stage = 'evaluate' and subject_kind = 'policy'`;

/** One grid: the darker, the more. */
function panel(cells: Rows, field: "target" | "policy", title: string, subtitle: string[]) {
  const axis = { values: [0, 5, 10, 15], labelAngle: 0 };
  const place = (name: string) => ({ field: name, type: "ordinal" as const, title: null, axis });
  return {
    title: { text: title, subtitle },
    width: 230,
    height: 230,
    data: { values: [...cells] },
    mark: { type: "rect" as const },
    encoding: {
      x: place("x"),
      y: { ...place("y"), sort: "descending" as const },
      color: {
        field,
        type: "quantitative" as const,
        legend: null,
        scale: { type: "sqrt" as const, domain: [0, mostOf(cells)], range: ["#f6f8fa", "#0a3069"] },
      },
    },
  };
}

/** One scale for both panels, so that they can be compared. */
function mostOf(cells: Rows): number {
  return Math.max(...cells.flatMap(({ target, policy }) => [Number(target), Number(policy)]));
}

function specification(cells: Rows, verdict: string, bound: number): TopLevelSpec {
  const apart = cells.map(({ target, policy }) => Math.abs(Number(target) - Number(policy)));
  const tv = apart.reduce((sum, one) => sum + one, 0) / 2;
  const shown = (value: number) => value.toPrecision(2);
  const said = verdict === "bounded" ? `bounded: TV at least ${shown(bound)}` : verdict;
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    spacing: 50,
    hconcat: [
      panel(cells, "target", "Target", ["R / Z of every cell", " "]),
      panel(cells, "policy", "Policy", [`certificate: ${said}`, `counted: TV ${shown(tv)}`]),
    ],
  };
}

if (import.meta.main) {
  const [name, counted, certified] = Deno.args;
  const cells = await ask(counted, cellSql);
  const [{ verdict, bound }] = await ask(certified, verdictSql);
  const svg = await svgOf(specification(cells, String(verdict), Number(bound)));
  await Deno.writeTextFile(`${root}docs/certificate_${name}.svg`, svg);
  console.log(`docs/certificate_${name}.svg: ${Math.round(svg.length / 1024)} KiB`);
}
