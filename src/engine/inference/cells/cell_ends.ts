/** The ends of the cells that data were recorded in. */
import type { NodeId } from "../../language/ir/node.ts";

/** The ends of the cells, one number for each element of the batch. */
export interface CellEnds {
  /** Below it. */
  readonly low: NodeId;
  /** Above it. */
  readonly high: NodeId;
}
