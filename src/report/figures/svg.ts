/** Turns Vega-Lite specifications into SVG, without a browser; the one place that knows Vega. */
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

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

/** Numbers of two decimals, and colours that change where the reader's background is dark. */
function finish(svg: string): string {
  const places = / (?:d|transform)="[^"]*"/g;
  const short = svg.replace(places, (place) => place.replace(/(\.\d{2})\d+/g, "$1"));
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
