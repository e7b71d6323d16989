/** `sluice doctor`: parts that this machine has, and remedies for those that are missing. */
import type { Command } from "@commander-js/extra-typings";
import { projectHere } from "../project_here.ts";
import { remediesOn } from "../remedies_by_system.ts";
import type { Session } from "../session.ts";

/** One part that Sluice may need. */
interface Finding {
  readonly part: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy: string;
  /** Whether nothing works without it; other parts raise the level of the sandbox. */
  readonly needed: boolean;
}

const example = `
Example:
  sluice doctor --json`;

export function addCommand(root: Command, session: Session): void {
  root.command("doctor")
    .description("show what this machine supports, and how to install the rest")
    .option("--json", "as JSON")
    .option("--install-python", "install the Python environment of the pymc executor")
    .addHelpText("after", example)
    .action(async ({ json, installPython }) => {
      const terminal = session.terminal();
      if (installPython && !(await install())) return void (session.exit = 3);
      const findings = await examine();
      if (json) terminal.data(JSON.stringify(findings, null, 2));
      else for (const finding of findings) terminal.out(block(finding));
      if (findings.some(({ ok, needed }) => needed && !ok)) session.exit = 3;
    });
}

const [columns, indent, partWidth] = [80, 3, 21];

/** A part in a line or more, none of them longer than a narrow terminal; the remedy comes below. */
function block({ part, ok, needed, found, remedy }: Finding): string {
  const sign = (ok ? "✓" : needed ? "✗" : "–").padEnd(indent);
  const margin = " ".repeat(indent + partWidth);
  const lines = [
    ...wrapped(found, columns - margin.length),
    ...(ok ? [] : wrapped(`mend: ${remedy}`, columns - margin.length)),
  ];
  const first = `${sign}${part.padEnd(partWidth)}${lines[0]}`;
  return [first, ...lines.slice(1).map((line) => margin + line)].join("\n");
}

/** Lines of whole words; a word that is too long has a line to itself. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && joined.length <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

async function install(): Promise<boolean> {
  const { startInstallation } = await import("../../executor/pymc/start_installation.ts");
  return await startInstallation(projectHere());
}

async function examine(): Promise<Finding[]> {
  const cores = navigator.hardwareConcurrency;
  const processor = `${cores} cores, ${Deno.build.target}`;
  return [
    { part: "deno", ok: true, found: Deno.version.deno, remedy: "", needed: true },
    { part: "processor", ok: true, found: processor, remedy: "", needed: true },
    ...await examineLayers(),
    ...await examineWorker(),
    await examinePython(),
    await examinePymc(),
    quotas,
    await examineStore(),
  ];
}

async function examineLayers(): Promise<Finding[]> {
  const { examineHost } = await import("../../sandbox/mod.ts");
  const { layers } = await examineHost();
  return layers.map(({ layer, ok, found, remedy }) => {
    return { part: `sandbox: ${layer}`, ok, found, remedy, needed: false };
  });
}

/** The level that engine workers reach, proved by one; and what keeps them from a higher one. */
async function examineWorker(): Promise<Finding[]> {
  const part = "engine worker";
  const remedy = "start Sluice with its own task, which grants --allow-run=deno";
  try {
    const { probeWorker } = await import("../../executor/probe.ts");
    const { level, probes, shortfalls } = await probeWorker();
    const found = `level ${level}; proved: ${[...new Set(probes)].join(", ")}`;
    return [
      { part, ok: true, found, remedy, needed: true },
      ...shortfalls.map((line) => ({
        part: "engine worker",
        ok: false,
        found: firstLine(line),
        needed: false,
        remedy: "get what the lines above say",
      })),
    ];
  } catch (error) {
    return [{ part, ok: false, found: (error as Error).message, remedy, needed: true }];
  }
}

async function examinePython(): Promise<Finding> {
  const part = "python program";
  const { python: remedy } = remediesOn(Deno.build.os);
  try {
    const { pythonLevel } = await import("../../sandbox/mod.ts");
    const found = `level ${await pythonLevel()}`;
    return { part, ok: true, found, remedy, needed: false };
  } catch (error) {
    return { part, ok: false, found: (error as Error).message, remedy, needed: false };
  }
}

async function examinePymc(): Promise<Finding> {
  const part = "pymc executor";
  try {
    const { findPython } = await import("../../executor/pymc/python_environment.ts");
    return { part, ok: true, found: findPython(projectHere()), remedy: "", needed: false };
  } catch (error) {
    const remedy = "run `sluice doctor --install-python`";
    return { part, ok: false, found: (error as Error).message, remedy, needed: false };
  }
}

/** Level L4, which is up to the system that starts Sluice. */
const quotas: Finding = {
  part: "sandbox: quotas",
  ok: false,
  found: "not used: memory and processes are bounded for each program, not for all together",
  remedy: remediesOn(Deno.build.os).quotas,
  needed: false,
};

async function examineStore(): Promise<Finding> {
  const part = "store";
  const remedy = "grant --allow-ffi on the folder of @duckdb";
  try {
    const { databaseVersion } = await import("../../pipeline/store/sql/mod.ts");
    return { part, ok: true, found: `DuckDB ${databaseVersion()}`, remedy, needed: true };
  } catch (error) {
    return { part, ok: false, found: (error as Error).message, remedy, needed: true };
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0].slice(0, 400);
}
