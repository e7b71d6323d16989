/** Configurations of policies, as a pipeline writes them, and what may be wrong with them. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { InputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { PolicyDefinition } from "./define_policy.ts";
import { calledOf, type Environment } from "../environments/environment.ts";
import { type BackendName, backendNames } from "../tensor/decoder_network.ts";
import type { Activation } from "./mlp_layout.ts";
import { slopes } from "./mlp_layout.ts";

/**
 * `fused` is own WebAssembly kernels, `blas` the same with a library for matrix products; the
 * others are backends of TensorFlow.js.
 */
export type PolicyBackend = "fused" | "blas" | BackendName;

/** All of them. */
export const policyBackends: readonly PolicyBackend[] = ["fused", "blas", ...backendNames];

/** How log P_B is had on graphs with several ways to one state; on trees it is 0 anyway. */
export type BackwardKind = "uniform" | "learned";

/** Logits per state: for few states and tests. */
export interface TablePolicyConfig {
  /** Tells it from the others. */
  readonly kind: "table";
  /** Default `uniform`. */
  readonly backward?: BackwardKind;
}

/** A multilayer perceptron over the features that the environment gives its states. */
export interface MlpPolicyConfig {
  /** Tells it from the others. */
  readonly kind: "mlp";
  /** Number of hidden layers; default 2. */
  readonly layers?: number;
  /** Width of each hidden layer; default 256. */
  readonly width?: number;
  /** Of hidden layers; default `leaky_relu`. */
  readonly activation?: Activation;
  /** Default `uniform`. */
  readonly backward?: BackwardKind;
  /** What computes; default `fused`. Not part of a saved policy. */
  readonly backend?: PolicyBackend;
  /** Parameters that are not learned: their names, or how they begin; default none. */
  readonly frozen?: readonly string[];
}

/** A small decoder over actions; it reads how a state was reached, so it is for trees. */
export interface TransformerPolicyConfig {
  /** Tells it from the others. */
  readonly kind: "transformer";
  /** Number of layers; default 2. */
  readonly layers?: number;
  /** Width of the residual stream, a multiple of `heads`; default 64. */
  readonly width?: number;
  /** Attention heads per layer; default 4. */
  readonly heads?: number;
  /** What computes; default `fused`. Not part of a saved policy. */
  readonly backend?: PolicyBackend;
  /** Parameters that are not learned: their names, or how they begin; default none. */
  readonly frozen?: readonly string[];
}

/** A policy of one's own. */
export interface CustomPolicyConfig {
  /** Tells it from the others. */
  readonly kind: "custom";
  /** What the module of the policy exports. */
  readonly definition: PolicyDefinition;
  /** What its `create` is given; default none. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Parameters that are not learned: their names, or how they begin; default none. */
  readonly frozen?: readonly string[];
}

/** Every kind of policy that `createPolicy` can make. */
export type PolicyConfig =
  | TablePolicyConfig
  | MlpPolicyConfig
  | TransformerPolicyConfig
  | CustomPolicyConfig;

const keysOf: Readonly<Record<string, readonly string[]>> = {
  table: ["kind", "backward"],
  mlp: ["kind", "layers", "width", "activation", "backward", "backend", "frozen"],
  transformer: ["kind", "layers", "width", "heads", "backend", "frozen"],
  custom: ["kind", "definition", "parameters", "frozen"],
};

const kindNames = Object.keys(keysOf).filter((name) => name !== "custom").map((name) => `"${name}"`)
  .join(", ");

/**
 * Checks a policy's configuration.
 *
 * @throws InputError with every finding.
 */
export function parsePolicyConfig(value: Readonly<Record<string, unknown>>): PolicyConfig {
  const { kind } = value;
  if (typeof kind !== "string" || !(kind in keysOf)) {
    const hint = `write one of ${kindNames}`;
    throw new InputError([finding(`kind is ${JSON.stringify(kind)}`, hint)]);
  }
  const findings = [
    ...unknownKeys(kind, value),
    ...sizes(kind, value),
    ...choices(value),
    ...frozenNames(value),
  ];
  if (findings.length > 0) throw new InputError(findings);
  return value as unknown as PolicyConfig;
}

function finding(what: string, hint: string): Diagnostic {
  const message = `Cannot read policy: ${what}`;
  return { code: "policy/config", severity: "error", message, hint };
}

function unknownKeys(kind: string, value: Readonly<Record<string, unknown>>): Diagnostic[] {
  const known = keysOf[kind];
  return Object.keys(value).filter((key) => !known.includes(key)).map((key) => {
    const near = nearest(key, known);
    const list = `known keys: ${known.join(", ")}`;
    return finding(`unknown key "${key}"`, near ? `did you mean "${near}"? ${list}` : list);
  });
}

function sizes(kind: string, value: Readonly<Record<string, unknown>>): Diagnostic[] {
  const { width = 64, heads = 4 } = value;
  const counts = ["layers", "width", "heads"].filter((key) => value[key] !== undefined)
    .filter((key) => !(Number.isInteger(value[key]) && (value[key] as number) > 0))
    .map((key) => finding(`${key} is ${JSON.stringify(value[key])}`, "write an integer above 0"));
  const remainder = (width as number) % (heads as number);
  const fits = kind !== "transformer" || counts.length > 0 || remainder === 0;
  const message = `width ${width} is not a multiple of heads ${heads}`;
  return [...counts, ...(fits ? [] : [finding(message, "change one of them")])];
}

const namesOf: Readonly<Record<string, readonly string[]>> = {
  activation: Object.keys(slopes),
  backward: ["uniform", "learned"],
  backend: policyBackends,
};

function choices(value: Readonly<Record<string, unknown>>): Diagnostic[] {
  return Object.entries(namesOf)
    .filter(([key, names]) => value[key] !== undefined && !names.includes(value[key] as string))
    .map(([key, names]) => {
      const list = names.map((name) => `"${name}"`).join(", ");
      return finding(`${key} is ${JSON.stringify(value[key])}`, `write one of ${list}`);
    });
}

function frozenNames({ frozen = [] }: Readonly<Record<string, unknown>>): Diagnostic[] {
  const isList = Array.isArray(frozen) && frozen.every((name) => typeof name === "string");
  if (isList && !frozen.includes("")) return [];
  const hint = 'write a list of names or of how they begin, e.g. ["layers.0."]';
  return [finding(`frozen is ${JSON.stringify(frozen)}`, hint)];
}

/** @throws InputError if a policy of this kind cannot walk this environment. */
export function checkPolicyFits(config: PolicyConfig, environment: Environment): void {
  const { backward, features } = environment;
  const kind = calledOf(environment);
  const refuse = (message: string, hint: string): never => {
    throw new InputError([{ code: "policy/environment", severity: "error", message, hint }]);
  };
  if (config.kind === "transformer" && backward) {
    const message = `Cannot use a transformer on ${kind}: several ways lead to one of its states`;
    refuse(message, 'a transformer reads the way; choose "mlp" or "table", which read the state');
  }
  if (config.kind === "mlp" && !features) {
    const message = `Cannot use an mlp on ${kind}: the environment describes no features`;
    refuse(message, 'choose "transformer" or "table"');
  }
  if ("backward" in config && config.backward === "learned" && !backward) {
    const message = `Cannot learn a backward policy on ${kind}: it is a tree, with one way back`;
    refuse(message, 'leave out backward = "learned"');
  }
}
