/** Columns of few whole numbers that a program treats as amounts: slopes through codes have no meaning. */
import { codesIn } from "../../../base/codes.ts";
import type { CheckedProgram } from "../ir/program.ts";
import type { NodeId } from "../ir/node.ts";
import type { ModelState } from "./model_state.ts";

/** Notes each column of three to twelve whole numbers that a random variable is multiplied by. */
export function noteCodeColumns(
  checking: ModelState,
  { nodes }: Pick<CheckedProgram, "nodes">,
): void {
  const { columns, findings, modelPlace, response } = checking;
  const place = modelPlace ?? { start: 0, end: 0 };
  for (const name of new Set(slopesIn(nodes))) {
    const column = columns.get(name);
    if (!column || column === response || column.categories || column.shape) continue;
    const codes = codesIn([...column.values]);
    if (!codes) continue;
    const message = `The values ${codes.join(", ")} of "${name}" are amounts here, with a slope`;
    const hint =
      `if they are codes, give each an effect: level[i] with i, labels = pd.factorize(${name})`;
    findings.note("notes/codes-as-amounts", message, place, hint);
  }
}

/** Names of columns that are multiplied, themselves or less a number, by what is known only while sampling. */
function slopesIn(nodes: CheckedProgram["nodes"]): string[] {
  const isRandom: boolean[] = [];
  nodes.forEach((node, id) => {
    isRandom[id] = node.kind === "parameter" || node.args.some((one) => isRandom[one]);
  });
  const columnOf = (id: NodeId): string | undefined => {
    const node = nodes[id];
    if (node.kind === "column") return node.column;
    const isLinear = node.kind === "map" && ["add", "sub", "mul", "div"].includes(node.op);
    const [own, ...more] = node.args.filter((one) => nodes[one].kind !== "constant");
    return isLinear && more.length === 0 && own !== undefined ? columnOf(own) : undefined;
  };
  return nodes.flatMap((node) => {
    if (node.kind !== "map" || node.op !== "mul") return [];
    const [a, b] = node.args;
    if (isRandom[a] === isRandom[b]) return [];
    return columnOf(isRandom[a] ? b : a) ?? [];
  });
}
