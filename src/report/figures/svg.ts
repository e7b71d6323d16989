/** Turns Vega-Lite specifications into SVG, without a browser; the one place that uses Vega. */
import * as vega from "vega";
import { type LoggerInterface, parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { darkRules, faint as line, ink as text, soft } from "./palette.ts";
import { axisNumber, withAxisNumbers } from "./axis_numbers.ts";
import { visible } from "../visible_text.ts";
import { textWidth } from "./text_width.ts";

export type { TopLevelSpec };

/** Colours of text and lines, and what they become where the reader's background is dark. */
export const ink = "#444d56";
const faint = "#d0d7de";

/** Common look: transparent, few lines, two colours that a dark background replaces. */
const config = {
  aria: false,
  font: "sans-serif",
  view: { stroke: faint },
  axis: {
    labelColor: ink,
    titleColor: ink,
    gridColor: faint,
    gridOpacity: 0.5,
    domainColor: faint,
    tickColor: faint,
  },
  title: { color: ink, subtitleColor: ink, fontSize: 13, subtitleFontSize: 11 },
  legend: { labelColor: ink, titleColor: ink, labelLimit: 280 },
} as const;

/** Places with two decimals. */
function shortened(svg: string): string {
  const places = / (?:d|transform)="[^"]*"/g;
  return svg.replace(places, (place) => place.replace(/(\.\d{2})\d+/g, "$1"));
}

/** Colours that change where the reader's background is dark. */
function finish(svg: string): string {
  const short = shortened(svg);
  const dark = [[ink, "#c9d1d9"], [faint, "#3d444d"]].flatMap(([light, other]) => [
    `[fill="${light}"]{fill:${other}}`,
    `[stroke="${light}"]{stroke:${other}}`,
  ]);
  const style = `<style>@media (prefers-color-scheme: dark){${dark.join("")}}</style>`;
  return short.replace(/(<svg[^>]*>)/, `$1${style}`) + "\n";
}

/** The drawing of a specification. */
export async function svgOf(specification: TopLevelSpec): Promise<string> {
  const look = { background: "transparent", config, ...specification } as TopLevelSpec;
  const view = new View(parse(compile(look).spec), { renderer: "none" });
  return finish(await view.toSVG());
}

vega.expressionFunction("axisNumber", (value: unknown) => axisNumber(Number(value)));

/** The look of a report's pictures. */
const pictureConfig = {
  aria: false,
  font: "sans-serif",
  view: { stroke: null },
  axis: {
    labelColor: text,
    labelFontSize: 13,
    labelLimit: 0,
    titleColor: soft,
    titleFontSize: 13,
    titleFontWeight: "normal",
    titlePadding: 8,
    gridColor: line,
    gridOpacity: 0.6,
    domain: false,
    tickColor: line,
    labelPadding: 5,
    labelFlush: false,
  },
  text: { color: text, fontSize: 13 },
  legend: {
    labelColor: text,
    labelFontSize: 13,
    labelLimit: 0,
    titleColor: soft,
    orient: "top",
    symbolStrokeWidth: 3,
  },
} as const;

/** Vega-Lite's advice is for authors of charts, and none of it for readers of reports. */
const quiet = {
  level: () => quiet,
  error: (...said: readonly unknown[]): never => {
    throw new Error(`internal: ${said.join(" ")}`);
  },
  warn: () => quiet,
  info: () => quiet,
  debug: () => quiet,
} as unknown as LoggerInterface;

/**
 * A picture as SVG for a page, whose own style exchanges the colours where it is dark.
 *
 * @param prefix of the names within it, which must be its own among all pictures of the page.
 */
export async function pictureSvg(specification: TopLevelSpec, prefix: string): Promise<string> {
  const numbered = withAxisNumbers(specification);
  const look = { background: "transparent", config: pictureConfig, ...numbered };
  measures.width = widthOfItem;
  const view = new View(parse(compile(look as TopLevelSpec, { logger: quiet }).spec), {
    renderer: "none",
  });
  const svg = await view.toSVG();
  view.finalize();
  return visible(renamed(shortened(svg), prefix));
}

/** Vega counts its clips over the life of a process: a picture would not be the same twice. */
function renamed(svg: string, prefix: string): string {
  const names = new Map<string, string>();
  return svg.replace(/(id="|url\(#)([^")]+)/g, (_, before, name) => {
    names.set(name, names.get(name) ?? `${prefix}_${names.size + 1}`);
    return `${before}${names.get(name)}`;
  });
}

/** The picture as a file of its own, which brings that style. */
export function standaloneSvg(svg: string): string {
  const style = `<style>@media (prefers-color-scheme: dark){${darkRules()}}</style>`;
  return svg.replace(/(<svg[^>]*>)/, `$1${style}`) + "\n";
}

/** How Vega measures text: exported, though its types do not say so. */
const measures = (vega as unknown as {
  readonly textMetrics: { width: typeof widthOfItem };
}).textMetrics;

/** Width of a text for Vega, by its letters and their size. */
function widthOfItem(item: { readonly fontSize?: number }, value: unknown): number {
  return textWidth(String(value), item.fontSize ?? 11);
}
