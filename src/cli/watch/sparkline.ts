/** A curve as a small picture: a line over steps, with its ends and its last value in words. */
import { Html, markup } from "../../report/html_report/html.ts";
import { number } from "../../report/format.ts";

/** A point of a curve. */
export interface CurvePoint {
  readonly step: number;
  readonly value: number;
}

const [width, height, edge] = [300, 72, 4];

/** One curve with its name; values that are no numbers are gaps. */
export function sparkline(name: string, points: readonly CurvePoint[]): Html {
  const drawn = points.filter(({ value }) => Number.isFinite(value));
  const [low, high] = ends(drawn.map(({ value }) => value));
  const [from, to] = ends(points.map(({ step }) => step));
  const x = (step: number) => edge + (width - 2 * edge) * (step - from) / (to - from || 1);
  const y = (value: number) =>
    height - edge - (height - 2 * edge) * (value - low) / (high - low || 1);
  const path = pieces(points)
    .map((piece) =>
      `M${piece.map(({ step, value }) => `${at(x(step))},${at(y(value))}`).join("L")}`
    )
    .join("");
  const last = points.at(-1);
  const range = drawn.length > 0 ? `; ${number(low)} to ${number(high)}` : "";
  const words = last && !Number.isFinite(last.value)
    ? markup`<b class="failed">step ${last.step}: ${last.value}</b>${range}`
    : last && `step ${last.step}: ${number(last.value)}${range}`;
  return markup`<figure class="curve"><figcaption><b>${name}</b> ${words}</figcaption>
${new Html(`<svg viewBox="0 0 ${width} ${height}" role="img"><path d="${path}"/></svg>`)}
</figure>
`;
}

/** Runs of points without a gap; a lone point is a dot. */
function pieces(points: readonly CurvePoint[]): CurvePoint[][] {
  const found: CurvePoint[][] = [[]];
  for (const point of points) {
    if (Number.isFinite(point.value)) found.at(-1)!.push(point);
    else found.push([]);
  }
  return found.filter(({ length }) => length > 0)
    .map((piece) => piece.length === 1 ? [piece[0], piece[0]] : piece);
}

function ends(values: readonly number[]): [number, number] {
  return values.length === 0 ? [0, 0] : [Math.min(...values), Math.max(...values)];
}

function at(place: number): string {
  return place.toFixed(1);
}
