/** `sluice sandbox run FILE.py`: runs a Python file exactly as an execution would, and reports. */
import type { Command } from "@commander-js/extra-typings";
import { Option } from "@commander-js/extra-typings";
import { resolve } from "node:path";
import { InputError } from "../../base/diagnostic.ts";
import type { ProgramRun } from "../../sandbox/mod.ts";
import type { Session } from "../session.ts";
import type { Terminal } from "../../report/terminal.ts";

const example = `
Example:
  sluice sandbox run attack.py --level L3 --json`;

export function addCommand(root: Command, session: Session): void {
  const sandbox = root.command("sandbox")
    .description("run a Python file in the sandbox")
    .addHelpText("after", example);
  sandbox.command("run")
    .description("run a Python file confined, attested and within limits, like an execution")
    .argument("<file>", "the Python file")
    .addOption(new Option("--level <level>", "level of the sandbox").choices(["L2", "L3"] as const))
    .option("--python <path>", "interpreter (default: the system's)")
    .option("--wall <seconds>", "limit of wall time", "120")
    .option("--cpu <seconds>", "limit of CPU time", "120")
    .option("--memory <MiB>", "limit of writable memory", "2048")
    .option("--json", "as JSON")
    .addHelpText("after", example)
    .exitOverride()
    .action(async (file, { json, level, python, ...limits }) => {
      const terminal = session.terminal();
      const { runPython } = await import("../../sandbox/mod.ts");
      const run = await runPython({
        script: existing(file),
        level,
        python: python && resolve(python),
        limits: {
          wallMs: 1000 * wholeNumber("--wall", limits.wall, 1, mostSeconds),
          cpuSeconds: wholeNumber("--cpu", limits.cpu, 1, mostSeconds),
          dataBytes: wholeNumber("--memory", limits.memory, 16, mostMib) * (1 << 20),
        },
      });
      if (json) terminal.data(JSON.stringify(asJson(run)));
      else show(run, terminal);
      if (run.status !== "ok") session.exit = 1;
    });
}

function existing(file: string): string {
  const path = resolve(file);
  let why = "there is no such file";
  try {
    if (Deno.statSync(path).isFile) return path;
    why = "it is not a file";
  } catch { /* said below */ }
  const message = `Cannot run ${file}: ${why}`;
  throw new InputError([{ code: "cli/no-file", severity: "error", message }]);
}

/** Thirty days, and a tebibyte: more is a slip of the finger. */
const [mostSeconds, mostMib] = [2_592_000, 1 << 20];

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  const message = `Cannot use ${option} ${text}: wanted a whole number from ${least} to ${most}`;
  throw new InputError([{ code: "cli/limit", severity: "error", message }]);
}

function asJson(run: ProgramRun): Record<string, unknown> {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    status: run.status,
    level: run.level,
    exit: run.exit ?? null,
    signal: run.signal ?? null,
    wall_ms: Math.round(run.wallMs),
    cpu_ms: run.cpuMs ?? null,
    max_rss_kib: run.maxRssKib ?? null,
    attestation: run.attestation,
    stdout: text(run.stdout),
    stderr: text(run.stderr),
  };
}

/** For people: output of the program, with control characters made visible, and how it ended. */
function show(run: ProgramRun, terminal: Terminal): void {
  const plain = (bytes: Uint8Array) => visible(new TextDecoder().decode(bytes)).trimEnd();
  if (run.stdout.length > 0) terminal.out(plain(run.stdout));
  if (run.stderr.length > 0) terminal.problem(plain(run.stderr));
  const end = run.signal ?? (run.exit === undefined ? "killed" : `exit ${run.exit}`);
  const cost = run.cpuMs === undefined ? "" : `, ${run.cpuMs} ms CPU, ${run.maxRssKib} KiB`;
  terminal.note(
    `${run.status} (${end}) at level ${run.level}: ${Math.round(run.wallMs)} ms wall${cost}`,
  );
}

/** Escapes everything that moves a cursor, changes colours or turns the direction of text. */
function visible(text: string): string {
  return text.replace(
    // deno-lint-ignore no-control-regex -- these are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
