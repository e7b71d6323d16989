/** Checks every wire of a pipeline: that its end exists, and that the types of both ends agree. */
import { nearest } from "../../base/nearest.ts";
import { type Located, nodesAt, spanOfNode } from "../toml/located.ts";
import { isParameterPath, type PortDeclaration, type PortDeclarations } from "./declaration.ts";
import { type StageDraft, tableEntries } from "./draft.ts";
import { type Findings, suggest } from "./findings.ts";
import { type Referrer, resolveReference, visibleOutputs, wireText } from "./references.ts";
import type { Wire, Wires } from "./resolved.ts";

/** Another stage that a stage needs, and the place of the reference. */
export interface Need {
  readonly target: StageDraft;
  readonly node: Located;
}

export interface StageWires {
  readonly inputs: Wires;
  readonly wired: Readonly<Record<string, Wires>>;
  /** For a loop. */
  readonly state: Wires;
  readonly next: Wires;
  /** Every stage that a wire of this one leads to; those of a loop's own stages not included. */
  readonly needs: readonly Need[];
}

/** Resolves the wires of one stage; faults go to `findings`. */
export function readWires(stage: StageDraft, findings: Findings): StageWires {
  const wirer = new Wirer(stage, findings);
  const inputs = wirer.inputs();
  const wired = wirer.wired();
  const { state, next } = wirer.loop();
  refuseOutsideLoops(stage, findings);
  return { inputs, wired, state, next, needs: wirer.needs };
}

/** Refuses a stage outside of loops whose outputs live between the stages of a loop. */
function refuseOutsideLoops({ name, scope, declaration, kind }: StageDraft, findings: Findings) {
  if (scope.loop) return;
  const live = Object.entries(declaration?.outputs ?? {}).find(([, port]) => port.live);
  if (!live) return;
  const message = `Cannot wire stage "${name}": its ${
    live[0]
  } live inside a loop, and it stands outside`;
  const hint = `move it into a stage of kind "loop": [stages.train.stages.${name}]`;
  findings.add("pipeline/outside-loop", message, spanOfNode(kind!.node), hint);
}

class Wirer {
  readonly needs: Need[] = [];
  readonly #what: string;
  readonly #from: Referrer;

  constructor(readonly stage: StageDraft, readonly findings: Findings) {
    this.#what = `Cannot wire stage "${stage.name}"`;
    this.#from = { scope: stage.scope, self: stage };
  }

  inputs(): Wires {
    const { stage } = this;
    if (!stage.declaration) return this.#wires(stage.inputs, this.#from, () => undefined);
    const ports = stage.declaration.inputs;
    this.#reportMissing(ports);
    const known = [...stage.inputs].filter(([name, node]) => this.#isInput(name, node, ports));
    return this.#wires(new Map(known), this.#from, (name) => ports[name].type);
  }

  wired(): Readonly<Record<string, Wires>> {
    const found: Record<string, Wires> = {};
    for (const [param, port] of Object.entries(this.stage.declaration?.wired ?? {})) {
      if (isParameterPath(param)) found[param] = this.#wiresAt(param, port);
      const node = this.stage.rest.entries.get(param);
      if (!node) continue;
      this.#checkWiredTable(param, node, port);
      found[param] = this.#wires(tableEntries(node), this.#from, () => port.type, `${param}.`);
    }
    return found;
  }

  /** Wires that parameters inside lists and tables are, by the text of each. */
  #wiresAt(path: string, { type }: PortDeclaration): Wires {
    const found: Record<string, Wire> = {};
    for (const { at, node } of nodesAt(this.stage.rest, path.split("."))) {
      const wire = this.#wire(at, node, this.#from, type);
      if (wire) found[wireText(node)] = wire;
    }
    return found;
  }

  loop(): { state: Wires; next: Wires } {
    const { loop } = this.stage;
    if (!loop) return { state: {}, next: {} };
    const state = this.#wires(loop.state, this.#from, () => undefined, "state.");
    const inside: Referrer = { scope: loop.scope };
    const types = (name: string) => state[name]?.type;
    const next = this.#wires(loop.next, inside, types, "next.");
    for (const [name, node] of loop.state) this.#checkHandedOn(name, node);
    return { state, next };
  }

  #wires(
    nodes: ReadonlyMap<string, Located>,
    from: Referrer,
    wanted: (name: string) => string | undefined,
    prefix = "",
  ): Wires {
    const found: Record<string, Wire> = {};
    for (const [name, node] of nodes) {
      const wire = this.#wire(`${prefix}${name}`, node, from, wanted(name));
      if (wire) found[name] = wire;
    }
    return found;
  }

  #wire(name: string, node: Located, from: Referrer, wanted?: string): Wire | undefined {
    const text = wireText(node);
    const found = resolveReference(text, from);
    const span = () => spanOfNode(node);
    if (found.kind === "error") {
      const message = `${this.#what}: ${name} is "${text}", but ${found.reason}`;
      this.findings.add(found.code, message, span(), found.hint);
      return undefined;
    }
    if (found.target) this.needs.push({ target: found.target, node });
    if (found.kind === "untyped") return undefined;
    const { wire } = found;
    if (wanted === undefined || wanted === wire.type) return wire;
    const message =
      `${this.#what}: ${name} is "${text}", which gives ${wire.type}, wanted ${wanted}`;
    this.findings.add("pipeline/port-type", message, span(), this.#giversHint(wanted, from));
    return undefined;
  }

  #isInput(name: string, node: Located, ports: PortDeclarations): boolean {
    if (Object.hasOwn(ports, name)) return true;
    const { stage } = this;
    const known = Object.keys(ports);
    const message = `${this.#what}: kind "${stage.kind!.written}" has no input "${name}"`;
    const hint = stage.loop
      ? `a loop gets its inputs as state: state = { ${name} = "${wireText(node)}" }`
      : suggest(nearest(name, known), "Its inputs", known);
    this.findings.add("pipeline/unknown-input", message, spanOfNode(node, "key"), hint);
    return false;
  }

  #reportMissing(ports: PortDeclarations): void {
    const given = this.stage.node.entries.get("inputs");
    for (const [name, { type, optional }] of Object.entries(ports)) {
      const names = given?.kind === "table" ? [...given.entries.keys()] : [];
      if (optional || names.includes(name)) continue;
      if (names.some((n) => !Object.hasOwn(ports, n) && nearest(n, Object.keys(ports)) === name)) {
        continue;
      }
      const message = `${this.#what}: missing input "${name}" (${type})`;
      const span = spanOfNode(given ?? this.stage.node, "key");
      const hint = this.#giversHint(type, this.#from, name);
      this.findings.add("pipeline/missing-input", message, span, hint);
    }
  }

  #checkWiredTable(param: string, node: Located, port: PortDeclaration): void {
    const good = node.kind === "table" && tableEntries(node).size === node.entries.size;
    if (good) return;
    const message = `${this.#what}: ${param} wants a table of wires to ${port.type}`;
    const hint = `write ${param} = { name = "stage.port" }`;
    this.findings.add("toml/wrong-value", message, spanOfNode(node), hint);
  }

  #checkHandedOn(name: string, node: Located): void {
    const { next } = this.stage.loop!;
    if (next.has(name)) return;
    const message =
      `${this.#what}: next hands on no "${name}", so state.${name} would never change`;
    const near = nearest(name, [...next.keys()].filter((n) => !this.stage.loop!.state.has(n)));
    const hint = near
      ? `did you mean "${name}" where next says "${near}"?`
      : `add ${name} to next, or wire the stages of the loop to "${wireText(node)}"`;
    this.findings.add("pipeline/state-without-next", message, spanOfNode(node, "key"), hint);
  }

  /** Which stages in sight give a type. */
  #giversHint(type: string, from: Referrer, name?: string): string {
    const outputs = visibleOutputs(from.scope)
      .filter((output) => output.type === type && output.stage !== from.self);
    const givers = [...stateGivers(type, from), ...outputs.map(({ text }) => `"${text}"`)];
    if (givers.length === 0) return `no stage in this scope outputs ${type}`;
    if (name && givers.length === 1) return `add ${name} = ${givers[0]} to its inputs`;
    return `these give ${type}: ${givers.slice(0, 8).join(", ")}${givers.length > 8 ? ", …" : ""}`;
  }
}

function stateGivers(type: string, from: Referrer): string[] {
  const names = [...from.scope.loop?.loop?.state.keys() ?? []].map((name) => `state.${name}`);
  return names.filter((text) => {
    const found = resolveReference(text, from);
    return found.kind === "wire" && found.wire.type === type;
  }).map((text) => `"${text}"`);
}
