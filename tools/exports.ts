/** Reports exports of the house that no other file uses, or tests alone. */
import { exportFaults } from "./exports/unused.ts";
import { exportPlan } from "./exports/plan.ts";
import { fileArrows, ownDoors, parsed, trackedFiles } from "./imports/modules.ts";

if (import.meta.main) {
  const sources = parsed(await trackedFiles());
  const faults = exportFaults(sources, fileArrows(sources, await ownDoors()), exportPlan);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) Deno.exit(1);
  const kept = Object.keys(exportPlan.testsOnly).length;
  console.log(`every export is used by another file; ${kept} by tests alone`);
}
