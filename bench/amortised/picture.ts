/** Picture of executions until a surrogate is near the target, with a policy's mean against without. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Executions of one data set. */
export interface Saved {
  /** `regression, simulated`, `regression, real`, `growth`. */
  readonly group: string;
  readonly id: string;
  /** Without a policy; null where the search was given up. */
  readonly alone: number | null;
  /** With the policy's mean. */
  readonly begun: number | null;
}

const results = new URL("executions.json", import.meta.url);
const picture = new URL("../../docs/amortised_executions.svg", import.meta.url);

/** Replaces the results of these groups, and draws all. */
export function keepResults(some: readonly Saved[]): void {
  const before: Saved[] = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : [];
  const groups = new Set(some.map(({ group }) => group));
  const all = [...before.filter(({ group }) => !groups.has(group)), ...some];
  writeFileSync(results, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(picture, drawn(all));
}

/** Executions at which a search was given up. */
const most = 400;

const [left, top, size] = [56, 16, 320];
const colours = ["#1b6ca8", "#d1495b", "#3a7d44"];

/** Both axes are logarithmic, from 10 to 400. */
function at(executions: number | null): number {
  const value = Math.min(executions ?? most, most);
  return Math.log(value / 10) / Math.log(most / 10) * size;
}

function drawn(all: readonly Saved[]): string {
  const groups = [...new Set(all.map(({ group }) => group))].sort();
  const [x, y] = [
    (executions: number | null) => (left + at(executions)).toFixed(1),
    (executions: number | null) => (top + size - at(executions)).toFixed(1),
  ];
  const line = (a: number, b: number, c: number, d: number) =>
    `<line x1="${x(a)}" y1="${y(b)}" x2="${x(c)}" y2="${y(d)}" stroke="#999"/>`;
  const text = (px: string | number, py: string | number, said: string, more = "") =>
    `<text x="${px}" y="${py}" ${more}>${said}</text>`;
  const ticks = [10, 20, 50, 100, 200, 400].flatMap((one) => [
    text(x(one), top + size + 16, `${one}`, 'text-anchor="middle"'),
    text(left - 6, Number(y(one)) + 4, `${one}`, 'text-anchor="end"'),
  ]);
  const points = all.map(({ group, id, alone, begun }) => {
    const colour = colours[groups.indexOf(group)];
    const said = `${group}: ${id}, ${alone ?? "over 400"} without, ${begun ?? "over 400"} with`;
    return `<circle cx="${x(alone)}" cy="${y(begun)}" r="4" fill="${colour}" fill-opacity="0.7">` +
      `<title>${said}</title></circle>`;
  });
  const legend = groups.map((group, k) => {
    const height = top + 14 + 18 * k;
    return `<circle cx="${left + 14}" cy="${height - 4}" r="4" fill="${colours[k]}"/>` +
      text(left + 24, height, group);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + size + 20} ${
      top + size + 44
    }" ` +
    'font-family="sans-serif" font-size="11">',
    `<rect width="100%" height="100%" fill="white"/>`,
    line(10, 10, 400, 10),
    line(10, 10, 10, 400),
    line(10, 10, 400, 400),
    line(30, 10, 400, 400 / 3),
    text(x(300), Number(y(330)), "equal", 'text-anchor="end"'),
    text(x(390), Number(y(150)), "a third", 'text-anchor="end"'),
    ...ticks,
    text(left + size / 2, top + size + 34, "executions without a policy", 'text-anchor="middle"'),
    text(
      -(top + size / 2),
      14,
      "executions with the policy's mean",
      'transform="rotate(-90)" text-anchor="middle"',
    ),
    ...points,
    ...legend,
    "</svg>",
    "",
  ].join("\n");
}
