/** `sluice doctor`: what this machine offers, with remedies for what is missing. */
import type { Command } from "@commander-js/extra-typings";
import { plainTable } from "../format.ts";
import type { Session } from "../session.ts";

/** One part that Sluice may need. */
interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy: string;
}

const example = `
Example:
  sluice doctor --json`;

export function addDoctorCommand(root: Command, session: Session): void {
  root.command("doctor")
    .description("say what this machine offers, and how to get what is missing")
    .option("--json", "as JSON")
    .addHelpText("after", example)
    .action(async ({ json }) => {
      const terminal = session.terminal();
      const findings = await examine();
      if (json) terminal.out(JSON.stringify(findings, null, 2));
      else {
        const rows = findings.map(({ part, ok, found, remedy }) => [
          ok ? "✓" : "✗",
          part,
          found,
          ok ? "" : remedy,
        ]);
        terminal.out(plainTable(["", "part", "found", "remedy"], rows));
      }
      if (findings.some((finding) => !finding.ok)) session.exit = 3;
    });
}

async function examine(): Promise<Finding[]> {
  const cores = navigator.hardwareConcurrency;
  return [
    { part: "deno", ok: true, found: Deno.version.deno, remedy: "" },
    { part: "processor", ok: true, found: `${cores} cores, ${Deno.build.target}`, remedy: "" },
    await examineWorker(),
    await examineStore(),
  ];
}

async function examineWorker(): Promise<Finding> {
  const part = "sandbox worker";
  const remedy = "start Sluice with its own task, which grants --allow-run=deno";
  try {
    const { probeWorker } = await import("../../exec/probe.ts");
    const { level, probes } = await probeWorker();
    return { part, ok: true, found: `level ${level}; denied: ${probes.join(", ")}`, remedy };
  } catch (error) {
    return { part, ok: false, found: (error as Error).message, remedy };
  }
}

async function examineStore(): Promise<Finding> {
  const part = "store";
  const remedy = "grant --allow-ffi on the folder of @duckdb";
  try {
    const { databaseVersion } = await import("../../store/database_version.ts");
    return { part, ok: true, found: `DuckDB ${databaseVersion()}`, remedy };
  } catch (error) {
    return { part, ok: false, found: (error as Error).message, remedy };
  }
}
