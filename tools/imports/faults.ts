/** Tells what is wrong with the imports of the house: arrows up, circles, folders without a place. */
import { circles } from "./circles.ts";
import type { CircleException, Floor, Plan } from "./floors.ts";
import type { FileArrow } from "./modules.ts";

/** Every fault of these files and of the imports between them, in plain words. */
export function importFaults(
  files: readonly string[],
  arrows: readonly FileArrow[],
  plan: Plan,
  doors: Iterable<string>,
): string[] {
  const open = new Set(doors);
  const plans = [["the house", plan.wings] as const, ...Object.entries(plan.rooms)];
  const house = [...plan.wings, plan.grounds];
  const inside = arrows.filter(({ from }) => !placeOf(from, plan.grounds));
  // A door shows what any room of its library has: it stands above them all.
  const fromRooms = inside.filter(({ from }) => !open.has(from));
  return [
    ...files.flatMap((file) => placeFaults(file, plan)),
    ...plans.flatMap(([name, floors]) => sizeFaults(name, floors, plan)),
    ...floorFaults(house, inside),
    ...Object.values(plan.rooms).flatMap((floors) => floorFaults(floors, fromRooms)),
    ...inside.flatMap((arrow) => doorFaults(arrow, plan, open)),
    ...arrows.flatMap((arrow) => libraryFaults(arrow, plan)),
    ...circles(arrows.filter(({ value }) => value)).map((files) =>
      `a circle of values: ${files.join(" -> ")}: move what both need into a file below them`
    ),
    ...typeCircleFaults(arrows, plan.typeCircles),
  ];
}

/** The longest place that a file lies in. */
export function placeOf(file: string, places: Iterable<string>): string | undefined {
  const inside = [...places].filter((name) => file === name || file.startsWith(`${name}/`));
  return inside.sort((a, b) => b.length - a.length)[0];
}

/** A file lies in a wing or in the grounds; in a wing of several rooms it lies in a room or at its door. */
function placeFaults(file: string, { wings, rooms, grounds }: Plan): string[] {
  if (placeOf(file, grounds)) return [];
  const wing = placeOf(file, wings.flat());
  const remedy = "give its folder a floor in tools/imports/floors.ts";
  if (!wing) return [`${file} lies in no wing: ${remedy}`];
  return Object.entries(rooms).flatMap(([folder, floors]) => {
    if (!placeOf(file, [folder]) || placeOf(file, floors.flat())) return [];
    const atDoor = !file.slice(folder.length + 1).includes("/");
    return atDoor ? [] : [`${file} lies in no room of ${folder}: ${remedy}`];
  });
}

/** A library is entered through its doors. */
function doorFaults({ from, to }: FileArrow, { doored }: Plan, doors: ReadonlySet<string>) {
  const library = placeOf(to, doored);
  if (!library || placeOf(from, [library]) || doors.has(to)) return [];
  return [`${from} imports ${to}: import it from a door of ${library} that deno.json exports`];
}

function sizeFaults(name: string, floors: readonly Floor[], plan: Plan): string[] {
  const rooms = floors.flat().length;
  return rooms <= plan.mostRooms && floors.length <= plan.mostFloors ? [] : [
    `${name} has ${rooms} rooms on ${floors.length} floors: at most ${plan.mostRooms} on ${plan.mostFloors}`,
  ];
}

/** Arrows between places of one plan may only point down. */
function floorFaults(floors: readonly Floor[], arrows: readonly FileArrow[]): string[] {
  const level = new Map(floors.flatMap((names, i) => names.map((name) => [name, i] as const)));
  return arrows.flatMap(({ from, to }) => {
    const [a, b] = [placeOf(from, level.keys()), placeOf(to, level.keys())];
    if (!a || !b || a === b || level.get(b)! < level.get(a)!) return [];
    return [`${from} imports ${to}: ${b} is not below ${a}`];
  });
}

/** An outside library enters the house through the folders that are named for it. */
function libraryFaults({ from, library }: FileArrow, { libraries, wings }: Plan): string[] {
  const folders = library === undefined ? undefined : libraries[library];
  if (!folders || !placeOf(from, wings.flat()) || placeOf(from, folders)) return [];
  return [`${from} imports ${library}: only ${folders.join(", ")} may`];
}

/** Circles by type that are not excepted, and exceptions that no longer stand. */
function typeCircleFaults(
  arrows: readonly FileArrow[],
  exceptions: readonly CircleException[],
): string[] {
  const found = circles(arrows.filter(({ onDemand }) => !onDemand));
  const ofValues = circles(arrows.filter(({ value }) => value)).map(String);
  const excepted = new Set(exceptions.map(({ files }) => String([...files].sort())));
  const fresh = found.filter((files) => !excepted.has(String(files)));
  const gone = [...excepted].filter((files) => !found.map(String).includes(files));
  return [
    ...fresh.filter((files) => !ofValues.includes(String(files))).map((files) =>
      `a circle by types: ${files.join(" -> ")}: move an interface into a file of its own`
    ),
    ...gone.map((files) => `typeCircles excepts ${files}, which is no circle: remove the entry`),
  ];
}
