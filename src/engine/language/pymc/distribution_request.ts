/** The request for a distribution, and why it may be refused. */
import type { FamilyName } from "../distributions/table.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { Shape } from "../ir/shape.ts";

/** Parts that make a distribution. */
export interface DistributionRequest {
  readonly family: FamilyName;
  /** How the program calls it, for messages: `pm.Normal`. */
  readonly callee: string;
  /** Arguments that are numbers; None counts as not given. */
  readonly given: ReadonlyMap<string, NodeId>;
  /** Arguments that are distributions. */
  readonly distributions?: ReadonlyMap<string, readonly Distribution[]>;
  /** Arguments that are whole numbers of the structure. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** All axes of a value, where the program gives them (`shape`, `dims`, or the response's). */
  readonly shape?: Shape;
  /** Batch axes of a value, where the program gives them (`size`). */
  readonly size?: Shape;
  /** Rows of the data, for messages. */
  readonly rows: number;
}

/** Why there is no such distribution. `argument` is the one to point at. */
export interface DistributionProblem {
  readonly code: string;
  readonly argument?: string;
  readonly message: string;
  readonly hint?: string;
}
