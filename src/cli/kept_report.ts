/** The report of a run as it was read last: where nothing changed since, it is not read again. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeAtomic } from "../base/atomic.ts";
import { digestOf } from "../base/digest.ts";
import { stampOf } from "../base/file_stamp.ts";
import { readRegularText } from "../base/regular_file.ts";
import { JsonSeals } from "../base/sealed_json.ts";
import { decodeCell, encodeCell } from "../pipeline/process/mod.ts";
import type { RunReport } from "../report/report.ts";

/** Folders of the code that reads reports. */
const code = ["../report", "../answers"].map((name) =>
  fileURLToPath(new URL(name, import.meta.url))
);

/**
 * The report of a run, from `.sluice/reports` or by `read`. A stored report is sealed by the user's key,
 * and is valid while the run's database and the code that reads it have the stamps that they had.
 */
export async function keptReport(
  root: string,
  runId: string,
  read: () => Promise<RunReport>,
): Promise<RunReport> {
  const [path, seals] = [join(root, ".sluice", "reports", `${runId}.json`), new JsonSeals(root)];
  const of = digestOf([stampOf(join(root, "runs", runId, "run.duckdb")), ...stampsOfCode()]);
  const kept = seals.open(runId, readJson(path));
  if (kept?.of === of) return decodeCell(kept.report) as RunReport;
  const report = await read();
  writeAtomic(path, JSON.stringify(seals.seal(runId, { of, report: encodeCell(report) })));
  return report;
}

function stampsOfCode(): string[] {
  return code.flatMap(filesIn).sort().map(stampOf);
}

function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(join(folder, name)) : [join(folder, name)]
  );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return undefined;
  }
}
