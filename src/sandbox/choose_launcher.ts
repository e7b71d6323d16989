/** Chooses the highest level of the sandbox that this machine offers, within a policy. */
import { MissingPartError } from "../base/diagnostic.ts";
import { kernelLauncher } from "./kernel_launcher.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import type { Launcher } from "./launcher.ts";
import { reaches } from "../base/sandbox_level.ts";
import { denoLauncher } from "./launcher.ts";
import type { KernelLevel } from "./attestation.ts";
import type { HostOffer } from "./host.ts";
import { examineHost } from "./host.ts";

/** The launcher, and the parts missing for a higher level. */
export interface ChosenLauncher {
  /** Starts workers at the chosen level. */
  readonly launcher: Launcher;
  /** One line for each level that could not be had. */
  readonly shortfalls: readonly string[];
}

const chosen = new Map<string, Promise<ChosenLauncher>>();

/**
 * The highest level at which a worker starts and proves its confinement; found once per process.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { workerPath } from "../executor/engine_file.ts";
 * import { chooseLauncher } from "./choose_launcher.ts";
 * const { launcher, shortfalls } = await chooseLauncher("L1", workerPath());
 * assert(launcher.level === "L3" || shortfalls.length > 0);
 * ```
 *
 * @throws MissingPartError if that is below the minimum, with a remedy.
 */
export function chooseLauncher(minimum: SandboxLevel, worker: string): Promise<ChosenLauncher> {
  const key = `${minimum} ${worker}`;
  const known = chosen.get(key) ?? choose(minimum, worker);
  chosen.set(key, known);
  return known;
}

async function choose(minimum: SandboxLevel, worker: string): Promise<ChosenLauncher> {
  const offer = await examineHost();
  const shortfalls: string[] = [];
  for (const level of ["L3", "L2"] as const) {
    const found = await tryLevel(level, offer, worker);
    if ("launcher" in found) return checked({ launcher: found.launcher, shortfalls }, minimum);
    shortfalls.push(`no ${level}: ${found.problem.split("\n", 1)[0]}`);
    if (!offer.host) break;
  }
  return checked({ launcher: denoLauncher, shortfalls }, minimum);
}

async function tryLevel(level: KernelLevel, { host, layers }: HostOffer, worker: string) {
  if (host) return await kernelLauncher(level, host, worker);
  const missing = layers.filter(({ ok }) => !ok);
  return { problem: missing.map((m) => `${m.layer}: ${m.found}; ${m.remedy}`).join("; ") };
}

/**
 * Gives the choice back where it reaches the minimum.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checked } from "./choose_launcher.ts";
 * const choice = { launcher: { level: "L1" }, shortfalls: [] };
 * assert.throws(() => checked(choice as never, "L2"), /ask for level L2/);
 * ```
 *
 * @throws MissingPartError if the launcher's level is below the minimum.
 */
export function checked(choice: ChosenLauncher, minimum: SandboxLevel): ChosenLauncher {
  const { launcher, shortfalls } = choice;
  if (reaches(launcher.level, minimum)) return choice;
  throw new MissingPartError(
    `Cannot execute programs: they ask for level ${minimum} of the sandbox, this machine offers ` +
      [launcher.level, ...shortfalls].join("; "),
    "run `sluice doctor` to see which layer is missing and how to get it",
  );
}
