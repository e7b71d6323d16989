/** Random small trees for laws that hold on every environment. */
import fc from "fast-check";
import { TreeEnvironment } from "./tree_environment.ts";
import type { TreeNode } from "./tree_environment.ts";

const ACTIONS = 3;

const logReward = fc.double({ min: -8, max: 8, noNaN: true });

const leaf: fc.Arbitrary<TreeNode> = logReward.map((value) => ({ logReward: value }));

function node(depth: number): fc.Arbitrary<TreeNode> {
  if (depth === 0) return leaf;
  const action = fc.integer({ min: 1, max: ACTIONS });
  const branches = fc.uniqueArray(fc.tuple(action, node(depth - 1)), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: ACTIONS,
  });
  const inner = fc.tuple(branches, fc.option(logReward, { nil: undefined }));
  return fc.oneof(
    leaf,
    inner.map(([children, value]) => ({
      children: Object.fromEntries(children),
      logReward: value,
    })),
  );
}

/** Trees of up to four decisions with up to three branches; any state may be complete. */
export const anyTree: fc.Arbitrary<TreeEnvironment> = node(3).map((root) => {
  return new TreeEnvironment(root, ACTIONS);
});
