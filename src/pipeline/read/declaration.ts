/** Declarations of stage kinds, in one form for built-in kinds and for kinds that a path names. */
import { z } from "../../base/zod.ts";
import { inputSchema } from "../toml/schema.ts";
import type { JsonSchema } from "../toml/json_schema.ts";
import type { Ports } from "../contract/port.ts";
import type { StageGate, StagePermissions, StageSignature } from "../contract/stage.ts";

/** A port without its codec: the facts that wiring needs. */
export interface PortDeclaration {
  /** Name of the port's type: `policy`, `trajectories`. */
  readonly type: string;
  /** True where nothing need be wired to it. */
  readonly optional?: boolean;
  /** One sentence for help and the schema. */
  readonly description?: string;
  /** True of values that flow between the stages of a loop alone. */
  readonly live?: true;
  /** A service that its values may ask, if the run has it. */
  readonly asks?: string;
}

/** Ports of one side, by name. */
export type PortDeclarations = Readonly<Record<string, PortDeclaration>>;

/** The declaration of a stage kind as plain JSON, as a process without permissions prints it. */
export interface StageKindDeclaration {
  /** Name in pipelines. */
  readonly kind: string;
  /** Enters the fingerprint: a raised version runs every stage of the kind again. */
  readonly version: number;
  /** One sentence for help and the schema. */
  readonly description: string;
  /** JSON Schema of the parameters, as they are written (the input side). */
  readonly paramsJsonSchema: JsonSchema;
  /** Ports through which values flow in. */
  readonly inputs: PortDeclarations;
  /** Ports through which results flow out. */
  readonly outputs: PortDeclarations;
  /** Parameters that hold wiring by name. */
  readonly wired?: PortDeclarations;
  /** Services that the stage may ask, by name. */
  readonly uses?: readonly string[];
  /** A check that every stage of the kind brings to its pipeline. */
  readonly gate?: StageGate;
  /** True if the seed enters the fingerprint. */
  readonly random?: boolean;
  /** True if tensor backend and kernels enter the fingerprint. */
  readonly tensors?: boolean;
  /** Files, hosts, variables and libraries that its process may touch. */
  readonly permissions?: StagePermissions;
  /** True if the kind checks its stages before a run. */
  readonly checks?: boolean;
}

/**
 * Whether a name in `wired` is the path of parameters that are wires.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isParameterPath } from "./declaration.ts";
 * assert.deepEqual(["log_reward.*.oracle", "targets"].map(isParameterPath), [true, false]);
 * ```
 */
export function isParameterPath(name: string): boolean {
  return name.includes(".");
}

/** A declaration that can check parameters. */
export interface CheckedDeclaration extends StageKindDeclaration {
  /** Schema that fills in defaults and resolves paths. */
  readonly params: z.ZodType;
}

/**
 * The declaration of a kind whose module is loaded.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { z } from "../../base/zod.ts";
 * import { declarationOf } from "./declaration.ts";
 * const params = z.strictObject({ number: z.number() });
 * const kind = { kind: "double", version: 1, description: "Doubles.", params, inputs: {}, outputs: {} };
 * assert.deepEqual(declarationOf(kind).paramsJsonSchema.required, ["number"]);
 * ```
 */
export function declarationOf(kind: StageSignature): CheckedDeclaration {
  const { version, description, params, uses, gate, random, tensors, permissions, checks } = kind;
  return {
    kind: kind.kind,
    version,
    description,
    params,
    get paramsJsonSchema() {
      return inputSchema(params);
    },
    inputs: portDeclarations(kind.inputs),
    outputs: portDeclarations(kind.outputs),
    wired: portDeclarations(kind.wired ?? {}),
    uses,
    gate,
    random,
    tensors,
    permissions,
    ...(checks && { checks }),
  };
}

/** The declaration of a kind of which only the JSON is known; its parameters pass unchanged. */
export function declarationFromJson(json: StageKindDeclaration): CheckedDeclaration {
  const params = z.fromJSONSchema(json.paramsJsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
  return { ...json, params };
}

/** The plain JSON of a kind: the other end of {@link declarationFromJson}. */
export function declarationToJson(kind: StageSignature): StageKindDeclaration {
  const { params: _, ...rest } = declarationOf(kind);
  return JSON.parse(JSON.stringify({ ...rest, paramsJsonSchema: inputSchema(kind.params) }));
}

function portDeclarations(ports: Ports): PortDeclarations {
  return Object.fromEntries(
    Object.entries(ports).map(([name, { type, optional, description }]) => [
      name,
      {
        type: type.name,
        optional: optional ?? false,
        description,
        ...(type.live && { live: true }),
        ...(type.asks !== undefined && { asks: type.asks }),
      },
    ]),
  );
}
