/** Effects of halving and doubling each threshold, as tests/golden/loo_thresholds.json keeps them. */
import { join } from "node:path";
import {
  type ThresholdName,
  thresholdNames,
  thresholds,
  withThresholds,
} from "../../../src/engine/loo/thresholds.ts";
import { scenarios } from "./threshold_scenarios.ts";

/** Factors of each threshold. */
export const factors = { halved: 0.5, doubled: 2 } as const;
/** Which of the two. */
export type Direction = keyof typeof factors;

/** A threshold as it is, and a scenario that each change makes another one; `null` for none. */
export interface Effect {
  readonly value: number;
  readonly halved: string | null;
  readonly doubled: string | null;
}

const path = join(import.meta.dirname!, "../../golden/loo_thresholds.json");

/** The effects that are kept. */
export function knownEffects(): Readonly<Record<ThresholdName, Effect>> {
  return JSON.parse(Deno.readTextFileSync(path));
}

/** Result of a scenario as JSON, with one threshold changed if one is named. */
export function outcome(scenario: string, name?: ThresholdName, direction?: Direction): string {
  const run = () => {
    try {
      return JSON.stringify(scenarios[scenario]());
    } catch (error) {
      return `throws ${error}`;
    }
  };
  if (!name || !direction) return run();
  return withThresholds({ [name]: factors[direction] * thresholds[name] }, run);
}

/** Changes that should show in what their scenario says, and do not. */
export function unmovedBy(directionsOf: (name: ThresholdName) => readonly Direction[]): string[] {
  const effects = knownEffects();
  const base = new Map<string, string>();
  return thresholdNames.flatMap((name) =>
    directionsOf(name).flatMap((direction) => {
      const scenario = effects[name][direction];
      if (scenario === null) return [];
      if (!base.has(scenario)) base.set(scenario, outcome(scenario));
      const same = outcome(scenario, name, direction) === base.get(scenario);
      return same ? [`${name} ${direction}: ${scenario}`] : [];
    })
  );
}

/** Whether the change leaves a value that means something: acceptances are below 1. */
export function isMeant(name: ThresholdName, direction: Direction): boolean {
  return !name.endsWith("Acceptance") || direction === "halved";
}

/** Finds the effects again, each with the quickest scenario that shows it, and keeps them. */
if (import.meta.main) {
  const base = new Map<string, string>();
  const time = new Map<string, number>();
  for (const scenario of Object.keys(scenarios)) {
    outcome(scenario);
    const begin = performance.now();
    base.set(scenario, outcome(scenario));
    time.set(scenario, performance.now() - begin);
  }
  const quickest = Object.keys(scenarios).sort((a, b) => time.get(a)! - time.get(b)!);
  const shown = (name: ThresholdName, direction: Direction) =>
    isMeant(name, direction)
      ? quickest.find((one) => outcome(one, name, direction) !== base.get(one)) ?? null
      : null;
  const effects = thresholdNames.map((name) => [name, {
    value: thresholds[name],
    halved: shown(name, "halved"),
    doubled: shown(name, "doubled"),
  }]);
  Deno.writeTextFileSync(path, JSON.stringify(Object.fromEntries(effects), null, 1) + "\n");
}
