/** What attacks on doors have in common: what is tried, what comes of it, and what may. */
import { InputError } from "../../src/base/diagnostic.ts";

/** One attempt at a door that is not the reward's. */
export interface DoorAttack {
  readonly name: string;
  /** Tries it; what it gives is shown. What it throws is shown by its code, or by its name. */
  readonly tried: () => unknown;
  /** What may come of it. */
  readonly holds: RegExp;
}

/** Attempts at one door. */
export interface Door {
  readonly door: string;
  readonly idea: string;
  readonly attacks: readonly DoorAttack[];
}

/** What came of an attempt, on one line: a value, a refusal's code, or an error that nobody foresaw. */
export async function outcomeOf({ tried }: DoorAttack): Promise<string> {
  try {
    return String(await tried());
  } catch (error) {
    if (error instanceof InputError) return `refused: ${error.diagnostics[0].code}`;
    return `FAULT ${(error as Error).name}: ${(error as Error).message.split("\n")[0]}`;
  }
}

/** Runs work in a folder that is gone afterwards. */
export async function inScratch<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-door-" });
  try {
    return await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
