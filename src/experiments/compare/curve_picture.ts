/** A picture of courses: a line of means for each setting, over the range of its seeds. */
import { type Html, markup } from "../../report/html_report/html.ts";
import { number } from "../../report/format.ts";
import type { Curve } from "./curves.ts";

const [width, height] = [720, 300];
const margin = { left: 64, right: 12, top: 12, bottom: 34 };

/** Colours that differ for all eyes (Okabe and Ito 2008). */
const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"];

interface Frame {
  readonly x: (step: number) => number;
  readonly y: (value: number) => number;
  readonly steps: readonly [number, number];
  readonly values: readonly [number, number];
}

/** The picture, or nothing where no curve has two steps. */
export function curvePicture(title: string, curves: readonly Curve[]): Html {
  const shown = curves.filter(({ points }) => points.length > 1);
  if (shown.length === 0) return markup``;
  const frame = frameOf(shown);
  return markup`<figure class="picture">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
${axes(frame)}
${shown.map((curve, i) => drawn(curve, colours[i % colours.length], frame))}
</svg>
<figcaption>${title}: mean, and range over seeds. ${
    shown.map(({ setting }, i) => {
      const colour = colours[i % colours.length];
      return markup`<span style="color:${colour}">■ ${setting}</span> `;
    })
  }</figcaption>
</figure>`;
}

function frameOf(curves: readonly Curve[]): Frame {
  const all = curves.flatMap(({ points }) => points);
  const steps = extent(all.map(({ step }) => step));
  const values = extent(all.flatMap(({ lo, hi }) => [lo, hi]));
  const scale = (from: readonly [number, number], to: readonly [number, number]) => (v: number) =>
    to[0] + (v - from[0]) / (from[1] - from[0] || 1) * (to[1] - to[0]);
  return {
    steps,
    values,
    x: scale(steps, [margin.left, width - margin.right]),
    y: scale(values, [height - margin.bottom, margin.top]),
  };
}

function extent(values: readonly number[]): readonly [number, number] {
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) [lo, hi] = [Math.min(lo, value), Math.max(hi, value)];
  return [lo, hi];
}

function axes({ x, y, steps, values }: Frame): Html {
  const bottom = height - margin.bottom;
  const tick = (value: number) =>
    markup`<text x="${margin.left - 6}" y="${y(value) + 4}" text-anchor="end" font-size="12"
 fill="currentColor">${number(value, 3)}</text>`;
  const label = (step: number, anchor: string) =>
    markup`<text x="${x(step)}" y="${bottom + 18}" text-anchor="${anchor}" font-size="12"
 fill="currentColor">${step}</text>`;
  return markup`<path d="M${margin.left} ${margin.top}V${bottom}H${width - margin.right}"
 fill="none" stroke="currentColor" stroke-opacity=".4"/>
${values.map(tick)}${label(steps[0], "start")}${label(steps[1], "end")}`;
}

function drawn({ points }: Curve, colour: string, { x, y }: Frame): Html {
  const at = (step: number, value: number) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`;
  const line = points.map(({ step, mean }) => at(step, mean)).join("L");
  const band = [
    ...points.map(({ step, hi }) => at(step, hi)),
    ...points.toReversed().map(({ step, lo }) => at(step, lo)),
  ].join("L");
  return markup`<path d="M${band}Z" fill="${colour}" fill-opacity=".15"/>
<path d="M${line}" fill="none" stroke="${colour}" stroke-width="2"/>`;
}
