/** Parts that attacks on doors share: attempts, their outcomes, and the outcomes that are allowed. */
import { InputError } from "../../src/base/diagnostic.ts";

/** One attempt at a door that is not the reward's. */
export interface DoorAttack {
  readonly name: string;
  /** Makes the attempt. Its value is shown; of an error, the code or the name. */
  readonly tried: () => unknown;
  /** Outcomes that are allowed. */
  readonly holds: RegExp;
}

/** Attempts at one door. */
export interface Door {
  readonly door: string;
  readonly idea: string;
  readonly attacks: readonly DoorAttack[];
}

/** The outcome of an attempt, on one line: a value, a refusal's code, or an unforeseen error. */
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
