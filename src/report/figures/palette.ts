/** Colours of pictures: each on a light background, and its counterpart on a dark one. */

/** Text and what is observed. */
export const ink = "#1f2933";
/** Text beside that. */
export const soft = "#52606d";
/** Axes and grids. */
export const faint = "#cbd2d9";
/** Posterior quantities: the target, the average over models. */
export const main = "#0b5cad";
/** Prior quantities, or another model. */
export const other = "#c2410c";
/** Further models. */
export const third = "#15803d";
/** Further models. */
export const fourth = "#7e22ce";

/** The dark background's colour for each of them. */
const onDark: ReadonlyMap<string, string> = new Map([
  [ink, "#e4e7eb"],
  [soft, "#a8b3be"],
  [faint, "#3e4c59"],
  [main, "#6cb2f7"],
  [other, "#fb923c"],
  [third, "#4ade80"],
  [fourth, "#d8a5ff"],
]);

/** Rules of CSS that exchange the colours, for pictures below `scope`. */
export function darkRules(scope = ""): string {
  return [...onDark].flatMap(([light, dark]) => [
    `${scope}[fill="${light}"]{fill:${dark}}`,
    `${scope}[stroke="${light}"]{stroke:${dark}}`,
  ]).join("");
}
