/** Draws the import graph from `deno info`: wings, and the rooms of each; reports arrows that point up, and circles. */
import { circles } from "./imports/circles.ts";
import { drawings } from "./imports/drawing.ts";
import { type Floor, libraries, roomFloors, wingFloors } from "./imports/floors.ts";
import { type FileArrow, fileArrows } from "./imports/modules.ts";

/** At most so many rooms and floors in one drawing: what can be taken in at a look. */
const mostRooms = 15;
const mostFloors = 9;

/** Arrows between the places of one plan, and what is wrong with them. */
function faultsOf(floors: readonly Floor[], arrows: readonly FileArrow[]): string[] {
  const level = new Map(floors.flatMap((names, i) => names.map((name) => [name, i] as const)));
  const place = (file: string) => placeOf(file, level.keys());
  return arrows.flatMap(({ from, to }) => {
    const [a, b] = [place(from), place(to)];
    if (!a || !b || a === b || level.get(b)! < level.get(a)!) return [];
    return [`${from} imports ${to}: ${b} is not below ${a}`];
  });
}

/** The longest place that a file lies in. */
function placeOf(file: string, places: Iterable<string>): string | undefined {
  const inside = [...places].filter((name) => file === name || file.startsWith(`${name}/`));
  return inside.sort((a, b) => b.length - a.length)[0];
}

function libraryFaults(arrows: readonly FileArrow[]): string[] {
  return arrows.flatMap(({ from, library }) => {
    const folders = library === undefined ? undefined : libraries[library];
    if (!folders || placeOf(from, folders)) return [];
    return [`${from} imports ${library}: only ${folders.join(", ")} may`];
  });
}

function sizeFaults(name: string, floors: readonly Floor[]): string[] {
  const rooms = floors.flat().length;
  return rooms <= mostRooms && floors.length <= mostFloors ? [] : [
    `${name} has ${rooms} rooms on ${floors.length} floors: at most ${mostRooms} on ${mostFloors}`,
  ];
}

async function draw(arrows: readonly FileArrow[], write: boolean): Promise<boolean> {
  const file = new URL("../docs/architecture.md", import.meta.url);
  const text = await Deno.readTextFile(file);
  const drawn = drawings(text, arrows, placeOf);
  if (write) await Deno.writeTextFile(file, drawn);
  return drawn === text;
}

if (import.meta.main) {
  const write = Deno.args.includes("--write");
  const arrows = await fileArrows();
  const plans = [["the house", wingFloors] as const, ...Object.entries(roomFloors)];
  const faults = [
    ...plans.flatMap(([name, floors]) => [
      ...sizeFaults(name, floors),
      ...faultsOf(floors, arrows),
    ]),
    ...libraryFaults(arrows),
    ...circles(arrows).map((files) => `a circle of imports: ${files.join(" -> ")}`),
  ];
  for (const fault of faults) console.error(fault);
  const current = await draw(arrows, write);
  if (!current && !write) {
    console.error("docs/architecture.md is not current: run `deno task imports --write`");
  }
  if (faults.length > 0 || (!current && !write)) Deno.exit(1);
  const rooms = wingFloors.flat().length;
  console.log(`${rooms} wings on ${wingFloors.length} floors; no arrow points up, no circle`);
}
