/** Terms of units as terms of their rows, which share them equally. */
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { NodeId } from "../../language/ir/node.ts";

/** A number for each row, such that those of a unit add up to its number among `ofUnits(count)` `[units]`. */
export function sharedByRows(
  g: GraphBuilder,
  unitOfRow: Int32Array,
  ofUnits: (count: number) => NodeId,
): NodeId {
  const rows: number[] = [];
  for (const unit of unitOfRow) rows[unit] = (rows[unit] ?? 0) + 1;
  const shares = Float64Array.from(rows, (count) => 1 / count);
  const each = g.mul(ofUnits(rows.length), g.array(shares, [rows.length]));
  return g.gather(each, unitOfRow, [unitOfRow.length]);
}
