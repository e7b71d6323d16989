/** The drawings in docs/architecture.md: one of the house, and one of each wing with several rooms. */
import { placeOf } from "./faults.ts";
import type { Floor, Plan } from "./floors.ts";
import type { FileArrow } from "./modules.ts";

/** The page with its drawings renewed. */
export function drawings(page: string, arrows: readonly FileArrow[], plan: Plan): string {
  const plans = { house: plan.wings, ...plan.rooms };
  return Object.entries(plans).reduce((text, [name, floors]) => {
    const begin = `<!-- imports of ${name}: written by \`deno task imports --write\` -->`;
    const end = `<!-- end of imports of ${name} -->`;
    const [head, rest] = text.split(begin);
    const tail = rest?.split(end)[1];
    if (tail === undefined) throw new Error(`docs/architecture.md has no place for ${name}`);
    return `${head}${begin}\n\n${mermaid(floors, arrows)}\n\n${end}${tail}`;
  }, page);
}

function mermaid(floors: readonly Floor[], arrows: readonly FileArrow[]): string {
  const places = floors.flat();
  const label = (name: string) =>
    name.replace(/^src\//, "").replace(/^(engine|pipeline|gfn|models|numerics)\/(?=.)/, "");
  const id = (name: string) => label(name).replace(/\W/g, "_");
  const edges = arrows.flatMap(({ from, to }) => {
    const [a, b] = [placeOf(from, places), placeOf(to, places)];
    return a && b && a !== b ? [`  ${id(a)} --> ${id(b)}`] : [];
  });
  const rows = floors.map((floor, i) =>
    [
      `  subgraph floor_${i + 1} [" "]`,
      ...floor.map((name) => `    ${id(name)}["${label(name)}"]`),
      "  end",
    ].join("\n")
  );
  const drawn = [...rows].reverse();
  return ["```mermaid", "flowchart TD", ...drawn, ...new Set(edges.sort()), "```"].join("\n");
}
