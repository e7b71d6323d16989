/** Context that the writers of one module share. */
import type { GraphNode, NodeId, ReduceNode } from "../../../language/ir/node.ts";
import type { FunctionTable } from "./imports.ts";
import type { MemoryMap } from "./memory_map.ts";
import type { Roles } from "./schedule.ts";

/** State that the writers of one module share. */
export interface ModuleContext {
  readonly nodes: readonly GraphNode[];
  readonly roles: Roles;
  readonly memory: MemoryMap;
  readonly functions: FunctionTable;
  /** The number by which a hosted step is called. */
  readonly stepNumber: (id: NodeId) => number;
}

/** The number that a reduction begins with. */
export function startOf({ op }: ReduceNode): number {
  return { sum: 0, prod: 1, max: -Infinity, min: Infinity }[op];
}
