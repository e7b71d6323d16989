/** A discrete variable that the likelihood may sum out. */
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { Place } from "../syntax/source.ts";

/** A discrete variable with one element for each datum and few values. */
export interface DiscreteLatent {
  readonly name: string;
  readonly place: Place;
  /** Stands for its value until the likelihood sums it out; never part of a checked program. */
  readonly node: NodeId;
  readonly distribution: Distribution;
  /** Its values are 0 … count − 1. */
  readonly count: number;
  /** Whether the likelihood has summed it out. */
  used: boolean;
}
