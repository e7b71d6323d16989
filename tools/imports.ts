/** Draws the import graph of every tracked file: wings, and the rooms of each; reports what is wrong with it. */
import { drawings } from "./imports/drawing.ts";
import { importFaults } from "./imports/faults.ts";
import { plan } from "./imports/floors.ts";
import { type FileArrow, fileArrows, ownDoors, parsed, trackedFiles } from "./imports/modules.ts";

async function draw(arrows: readonly FileArrow[], write: boolean): Promise<boolean> {
  const file = new URL("../docs/architecture.md", import.meta.url);
  const text = await Deno.readTextFile(file);
  const drawn = drawings(text, arrows, plan);
  if (write) await Deno.writeTextFile(file, drawn);
  return drawn === text;
}

if (import.meta.main) {
  const write = Deno.args.includes("--write");
  const files = await trackedFiles();
  const doors = await ownDoors();
  const arrows = fileArrows(parsed(files), doors);
  const faults = importFaults([...files.keys()], arrows, plan, doors.values());
  for (const fault of faults) console.error(fault);
  const current = await draw(arrows, write);
  if (!current && !write) {
    console.error("docs/architecture.md is not current: run `deno task imports --write`");
  }
  if (faults.length > 0 || (!current && !write)) Deno.exit(1);
  const rooms = plan.wings.flat().length;
  console.log(
    `${files.size} files, ${rooms} wings on ${plan.wings.length} floors; no arrow points up, no circle, ` +
      `${doors.size} doors`,
  );
}
