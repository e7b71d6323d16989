/** Finds the response in expressions that are refused anyway, so that the graver reason is given. */
import { carriesResponse } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { children, type Expression } from "../syntax/tree.ts";

/** Whether some part of an expression is the response or was computed from it. */
export function mentionsResponse(checking: Checking, root: Expression): boolean {
  const pending: Expression[] = [root];
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (isResponse(checking, e)) return true;
    pending.push(...children(e));
  }
  return false;
}

function isResponse(checking: Checking, e: Expression): boolean {
  const { scope, response } = checking;
  if (e.kind === "name") {
    const value = scope.get(e.id);
    return value !== undefined && carriesResponse(value);
  }
  return e.kind === "subscript" && e.index.kind === "string" && e.object.kind === "name" &&
    scope.get(e.object.id)?.kind === "data" && e.index.value === response?.name;
}
