/** Reads derivations that people or other tools wrote: JSON lines, each of which the grammar must derive. */
import { type Diagnostic, InputError } from "../../src/base/diagnostic.ts";
import { isRecord } from "../../src/base/record.ts";
import { readRegular } from "../../src/base/regular_file.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/mod.ts";

/** Bytes of a file at most. */
const mostBytes = 64 * 2 ** 20;

/**
 * Trajectories, one for each line that is not empty.
 *
 * @throws InputError naming every line that is no derivation of the environment.
 */
export function readDerivations(environment: Environment, path: string): number[][] {
  const text = new TextDecoder().decode(readRegular(path, mostBytes));
  const found = text.split("\n").flatMap((line, i) =>
    line.trim() === "" ? [] : [wayOf(environment, line, `${path}:${i + 1}`)]
  );
  const findings = found.flatMap((one) => "way" in one ? [] : [one.finding]);
  if (findings.length > 0) throw new InputError(findings);
  if (found.length > 0) return found.flatMap((one) => "way" in one ? [one.way] : []);
  throw new InputError([finding(`Cannot propose programs: ${path} has none`, wanted)]);
}

const wanted = 'write a line for each: {"derivation": ["linear", "normal"]}';

type Found = { readonly way: number[] } | { readonly finding: Diagnostic };

function wayOf(environment: Environment, line: string, place: string): Found {
  const names = namesOf(line);
  if (!names) {
    const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line;
    return { finding: finding(`Cannot read ${place}: found ${shown}`, wanted) };
  }
  const derived = actionsOfDerivation(environment, names, place);
  return derived.ok ? { way: [...derived.actions] } : { finding: derived.diagnostic };
}

function namesOf(line: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || !Array.isArray(value.derivation)) return undefined;
    return value.derivation.every((one) => typeof one === "string") ? value.derivation : undefined;
  } catch {
    return undefined; // text that is no JSON is no derivation
  }
}

function finding(message: string, hint: string): Diagnostic {
  return { code: "propose/programs", severity: "error", message, hint };
}
