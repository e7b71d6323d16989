/** The figure of bench/results/staleness.md: KL(target‖policy) against the bound, one line for each learner. */
import type { TopLevelSpec } from "../../src/report/figures/svg.ts";
import type { StalenessLine } from "./divergences.ts";

const titles: Readonly<Record<string, string>> = {
  grid: "8 × 8 cells, a small network",
  smollm2: "SmolLM2, asked for numbers",
};

/** Means over seeds, on two logarithmic axes; a bound of 0 stands at a half. */
export function stalenessFigure(lines: readonly StalenessLine[]): TopLevelSpec {
  const panels = Object.entries(titles).map(([where, title]) => ({
    title,
    width: 300,
    height: 260,
    data: { values: meansOf(lines.filter((line) => line.where === where)) },
    mark: { type: "line" as const, point: { size: 14 }, strokeWidth: 1.2 },
    encoding: {
      x: {
        field: "x",
        type: "quantitative" as const,
        title: "steps behind",
        scale: { type: "log" as const, base: 2 },
        axis: {
          values: [0.5, 1, 4, 16, 64],
          labelExpr: "datum.value < 1 ? '0' : format(datum.value, 'd')",
        },
      },
      y: {
        field: "kl",
        type: "quantitative" as const,
        title: "KL(target‖policy), nats",
        scale: { type: "log" as const },
        axis: { format: ".0e", tickCount: 6 },
      },
      color: { field: "learner", type: "nominal" as const, title: null, sort: null },
    },
  }));
  return { $schema: "https://vega.github.io/schema/vega-lite/v6.json", hconcat: panels };
}

function meansOf(lines: readonly StalenessLine[]) {
  const groups = Map.groupBy(lines, ({ learner, staleness }) => `${learner}|${staleness}`);
  return [...groups.values()].flatMap((runs) => {
    const known = runs.flatMap(({ kl }) => kl === null ? [] : [kl]);
    if (known.length === 0) return [];
    const kl = known.reduce((sum, one) => sum + one, 0) / known.length;
    const { learner, staleness } = runs[0];
    return [{ learner, x: Math.max(0.5, staleness), kl }];
  });
}
