/** The report of a sweep as one page of HTML: tables, and curves with bands as pictures. */
import { Html, markup, tableOf } from "../../report/html_report/html.ts";
import { style } from "../../report/html_report/style.ts";
import type { Curve } from "./curves.ts";
import { curvePicture } from "./curve_picture.ts";
import type { ComparedMeasure } from "./comparison.ts";
import { differenceCells, method, summaryCells, titleOf, verdictOf } from "./report_markdown.ts";
import type { SweepReport } from "./sweep_report.ts";

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The page; it loads nothing and runs no script. */
export function reportHtml(report: SweepReport): string {
  const { sweep, pipeline, points, states, measures, curves, sql } = report;
  const counts = Object.entries(states).map(([state, n]) => `${n} ${state}`).join(", ");
  const parts = measures.map((one) => measureHtml(one, curves));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Sweep ${sweep}</title>
<style>${new Html(style + more)}</style>
</head>
<body>
<header><h1>Sweep ${sweep}</h1>
<p class="facts">${points} points of ${pipeline}: ${counts}</p></header>
<main>
${parts}
<h2>How it was computed</h2>
<p>${method}</p>
<pre>${sql}</pre>
</main>
</body>
</html>
`.text;
}

const more = `
main,header{max-width:64rem}
.wide{overflow-x:auto}
`;

function measureHtml(measure: ComparedMeasure, curves: readonly Curve[]): Html {
  const { settings, differences } = measure;
  const head = ["setting", "n", "mean", "95 %", "IQM", "sd", "difference", "95 %", "differs"];
  const rows = settings.map((one) => [
    ...summaryCells(one),
    ...differenceCells(differences.find(({ setting }) => setting === one.setting)),
  ]);
  const own = [
    ...Map.groupBy(curves.filter((one) => one.measure === measure.measure), (one) => one.stage),
  ];
  return markup`<h2>${titleOf(measure)}</h2>
<div class="wide">${tableOf(head, rows, new Set([0, 8]))}</div>
<p>${verdictOf(measure)}</p>
${own.map(([stage, some]) => curvePicture(`${measure.measure} of ${stage}`, some))}
`;
}
