/** Graphs of checked programs: nodes, shapes, operations. */
export {
  type CholeskyNode,
  type ColumnNode,
  type Common,
  type ConstantNode,
  type GatherNode,
  type GraphNode,
  type InputNode,
  type JoinNode,
  type MapNode,
  type MatmulNode,
  type NodeId,
  type ParameterNode,
  type ReduceNode,
  type ReduceOp,
  reduceOps,
  type ReshapeNode,
  type ScanNode,
  type ScatterNode,
  type SolveNode,
  type TakeNode,
} from "./node.ts";
export {
  type BinaryOp,
  binaryOps,
  type TernaryOp,
  ternaryOps,
  type UnaryOp,
  unaryOps,
} from "./operations.ts";
export type {
  CheckedProgram,
  CheckResult,
  Deterministic,
  Distribution,
  Likelihood,
  Origin,
  Parameter,
  Transform,
} from "./program.ts";
export { recogniseTransform } from "./recognised_transform.ts";
export type { ResponseStep, ResponseTransform } from "./response_transform.ts";
export type { Shape } from "./shape.ts";
