/** Checks stages without running them: each kind reads its parameters, and the known values of others. */
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import type { Ports, PortValues } from "../contract/port.ts";
import type { StageContext } from "../contract/stage.ts";
import type { CheckJob, CheckUnit, StageFinding } from "../process/messages.ts";
import type { Wire, Wires } from "../read/resolved.ts";
import type { ImportedKinds } from "./kinds.ts";
import { randomStreams } from "./random_streams.ts";

type Values = Readonly<Record<string, unknown>>;

/** Findings on the stages of a job, in their order; nothing is thrown. */
export async function findingsOf(
  kinds: ImportedKinds,
  { units, seed }: CheckJob,
): Promise<readonly StageFinding[]> {
  const checking = new Checking(kinds, units, seed);
  const found: StageFinding[] = [];
  for (const unit of units) {
    const { diagnostics } = await checking.of(unit);
    found.push(...diagnostics.map((diagnostic) => ({ stage: unit.name, diagnostic })));
  }
  return found;
}

/** Result of a stage's check: outputs known without a run, and faults. */
interface Checked {
  readonly outputs: Values;
  readonly diagnostics: readonly Diagnostic[];
}

/** Each stage is checked once, after those that it is wired to. */
class Checking {
  readonly #units: ReadonlyMap<string, CheckUnit>;
  readonly #checked = new Map<string, Promise<Checked>>();

  constructor(readonly kinds: ImportedKinds, units: readonly CheckUnit[], readonly seed: number) {
    this.#units = new Map(units.map((unit) => [unit.name, unit]));
  }

  of(unit: CheckUnit): Promise<Checked> {
    const known = this.#checked.get(unit.name) ?? this.#check(unit);
    this.#checked.set(unit.name, known);
    return known;
  }

  async #check(unit: CheckUnit): Promise<Checked> {
    const diagnostics: Diagnostic[] = [];
    try {
      const kind = this.kinds.kind(unit.kind);
      const params = await kind.params.parseAsync(unit.params);
      const { inputs, unknown } = await this.#inputs(unit);
      const context = checkContext(this.kinds, unit, this.seed, diagnostics);
      const request = { context, inputs: inputs as PortValues<Ports>, unknown, params };
      return { outputs: await kind.check?.(request) ?? {}, diagnostics };
    } catch (error) {
      return { outputs: {}, diagnostics: [...diagnostics, ...diagnosticsOf(error, unit)] };
    }
  }

  async #inputs(unit: CheckUnit): Promise<{ inputs: Values; unknown: ReadonlySet<string> }> {
    const inputs: Record<string, unknown> = {};
    const unknown = new Set<string>();
    for (const [name, wire] of Object.entries(unit.inputs)) {
      const value = await this.#value(wire);
      if (value === undefined) unknown.add(name);
      else inputs[name] = value;
    }
    for (const [name, wires] of Object.entries(unit.wired)) {
      inputs[name] = await this.#all(name, wires, unknown);
    }
    return { inputs, unknown };
  }

  /** Values of wires by name; those without one are among the unknown, as in `targets.sea`. */
  async #all(key: string, wires: Wires, unknown: Set<string>): Promise<Values> {
    const values: Record<string, unknown> = {};
    for (const [name, wire] of Object.entries(wires)) {
      const value = await this.#value(wire);
      if (value === undefined) unknown.add(`${key}.${name}`);
      else values[name] = value;
    }
    return values;
  }

  async #value({ stage, port }: Wire): Promise<unknown> {
    const unit = this.#units.get(stage);
    return unit && (await this.of(unit)).outputs[port];
  }
}

function diagnosticsOf(error: unknown, { name }: CheckUnit): readonly Diagnostic[] {
  if (error instanceof InputError) return error.diagnostics;
  const reason = error instanceof Error ? error.message : `${error}`;
  const message = `Cannot check stage "${name}": ${reason}`;
  return [{ code: "check/failed", severity: "error", message }];
}

/** A context in which nothing happens but warnings. */
function checkContext(
  kinds: ImportedKinds,
  { name: stage, kind, staleness = 0 }: CheckUnit,
  seed: number,
  diagnostics: Diagnostic[],
): StageContext {
  const refuse = () => Promise.reject(new Error("internal: a check asks no service"));
  const nothing = () => {};
  return {
    stage,
    step: 0,
    steps: 1,
    staleness,
    behind: 0,
    distinctEvaluations: 0,
    rows: nothing,
    metric: nothing,
    progress: nothing,
    ask: refuse,
    execute: refuse,
    random: randomStreams(kinds.kind(kind), { seed, stage, step: 0 }),
    log: (message, level) => {
      if (level === "warning") {
        diagnostics.push({ code: "check/warning", severity: level, message });
      }
    },
    plugin: (path) => kinds.plugins.get(path),
  };
}
