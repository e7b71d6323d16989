/** Writes nodes of a graph as expressions of Python; nodes that are used twice, or long, get a name. */
import type { Column, Dataset } from "../../../base/dataset.ts";
import { evaluateNode } from "../ir/evaluate.ts";
import type {
  GatherNode,
  GraphNode,
  JoinNode,
  MapNode,
  NodeId,
  ReduceNode,
  ReshapeNode,
  TakeNode,
} from "../ir/node.ts";
import { sameShape, type Shape, sizeOf } from "../ir/shape.ts";
import { CannotPrint } from "./cannot_print.ts";
import { arrayText, nested, numberText, stringText, tupleText } from "./literals.ts";
import { functions, levels, operators, truths } from "./operators.ts";
import { isBroadcast, partText } from "./parts.ts";
import type { PythonNames } from "./python_names.ts";

/**
 * Whether the data are a table; otherwise they are arrays by name, in JSON.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { isTable } from "./expressions.ts";
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * assert(isTable(data));
 * ```
 */
export function isTable({ columns }: Dataset): boolean {
  return columns.every(({ role, shape }) => role === "ignore" || shape === undefined);
}

/** The numbers of a column: of a data frame, or of arrays by name. */
export function columnText(dataset: Dataset, name: string): string {
  const part = `data[${stringText(name)}]`;
  return isTable(dataset) ? `${part}.to_numpy()` : `np.array(${part})`;
}

/** A text and how tightly it holds together. */
interface Text {
  readonly text: string;
  readonly level: number;
}

const longest = 76;
const deepest = 12;

/** Graph, data and names from the writer of a model. */
interface ExpressionsOptions {
  readonly nodes: readonly GraphNode[];
  readonly dataset: Dataset;
  readonly names: PythonNames;
  /** The variable of a parameter, which is written first if it has not been. */
  readonly parameter: (index: number) => string;
  /** How many times each node is used. */
  readonly uses: ReadonlyMap<NodeId, number>;
}

/** Expressions of one program. Lines that stand before the model go to `host`, others to `model`. */
export class Expressions {
  readonly host: string[] = [];
  readonly model: string[] = [];
  /** The packed factors of `pm.LKJCholeskyCov`, by their node, with the size of the factor. */
  readonly packed = new Map<NodeId, number>();
  readonly #known = new Map<NodeId, string>();
  readonly #values = new Map<NodeId, Float64Array | undefined>();
  readonly #depth = new Map<NodeId, number>();
  readonly #columns = new Map<string, string>();
  readonly #numpy = new Map<NodeId, boolean>();

  constructor(private readonly options: ExpressionsOptions) {}

  /** The expression of a node where an argument of a call stands. */
  argument(id: NodeId): string {
    return this.text(id).text;
  }

  /** The node's expression, or its name if it has one. */
  text(id: NodeId): Text {
    const known = this.#known.get(id);
    if (known !== undefined) return atom(known);
    const made = this.#make(id);
    const node = this.options.nodes[id];
    const depth = 1 + Math.max(0, ...node.args.map((arg) => this.#depth.get(arg) ?? 0));
    this.#depth.set(id, depth);
    const plain = node.kind === "parameter" || node.kind === "column" || node.shape.length === 0 &&
        node.kind === "constant";
    const shared = (this.options.uses.get(id) ?? 0) > 1 && made.text.length > 8;
    const long = made.text.length > longest || depth > deepest;
    if (plain || !(shared || long)) return made;
    return atom(this.name(id, made.text));
  }

  /** Gives a node's expression a name, on a line of its own. */
  name(id: NodeId, text: string, wished?: string): string {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const host = this.values(id) !== undefined;
    const name = this.options.names.take(wished ?? (host ? "known" : "term"));
    (host ? this.host : this.model).push(`${name} = ${text}`);
    this.#known.set(id, name);
    this.#depth.set(id, 0);
    return name;
  }

  /** Binds a node to a name that a line elsewhere gives it. */
  bind(id: NodeId, name: string): void {
    this.#known.set(id, name);
    this.#depth.set(id, 0);
  }

  /** Numbers of a node that depends on data alone. */
  values(id: NodeId): Float64Array | undefined {
    if (!this.#values.has(id)) this.#values.set(id, this.#evaluate(id));
    return this.#values.get(id);
  }

  #evaluate(id: NodeId): Float64Array | undefined {
    const node = this.options.nodes[id];
    if (node.kind === "constant") return node.values;
    if (node.kind === "column") return this.#column(node.column).values;
    if (node.kind === "parameter" || node.kind === "input") return undefined;
    const args = node.args.map((arg) => ({
      shape: this.options.nodes[arg].shape,
      values: this.values(arg)!,
    }));
    return args.every(({ values }) => values) ? evaluateNode(node, args) : undefined;
  }

  #column(name: string): Column {
    const found = this.options.dataset.columns.find((column) => column.name === name);
    if (!found) throw new CannotPrint(`the column ${stringText(name)}, which the data lack`);
    return found;
  }

  /** The variable that holds a column. */
  #columnText(name: string): string {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const { name: own } = this.#column(name);
    const variable = this.options.names.take(own);
    this.host.push(`${variable} = ${columnText(this.options.dataset, own)}`);
    this.#columns.set(name, variable);
    return variable;
  }

  #make(id: NodeId): Text {
    const node = this.options.nodes[id];
    switch (node.kind) {
      case "constant":
        return this.#constant(node.values, node.shape);
      case "column":
        return atom(this.#columnText(node.column));
      case "parameter":
        return atom(this.options.parameter(node.parameter));
      case "map":
        return this.#map(node);
      case "reduce":
        return this.#reduce(node);
      case "scan":
        return this.#call(id, node.op, [this.argument(node.args[0]), `axis=${node.axis}`]);
      case "reshape":
        return this.#reshape(id, node);
      case "gather":
        return this.#gather(id, node);
      case "take":
        return this.#take(id, node);
      case "join":
        return this.#join(id, node);
      case "matmul": {
        const [a, b] = node.args.map((arg) => this.text(arg));
        return product(a, b);
      }
      case "cholesky":
        return atom(`pt.linalg.cholesky(${this.argument(node.args[0])})`);
      case "solve": {
        const given = node.args.map((arg) => this.argument(arg));
        const how = node.transposed ? "trans=1, lower=True" : "lower=True";
        return atom(`pt.linalg.solve_triangular(${given.join(", ")}, ${how})`);
      }
      default:
        throw new CannotPrint(`the operation ${node.kind}`);
    }
  }

  #constant(values: Float64Array, shape: Shape): Text {
    if (shape.length > 0) return atom(arrayText(values, shape));
    const text = numberText(values[0]);
    return { text, level: text.startsWith("-") ? levels.sign : levels.atom };
  }

  /** Whether NumPy can compute a node: it depends on data alone, by functions that NumPy has. */
  #isNumpy(id: NodeId): boolean {
    const known = this.#numpy.get(id);
    if (known !== undefined) return known;
    const node = this.options.nodes[id];
    const tensor = node.kind === "cholesky" || node.kind === "solve";
    const named = node.kind !== "map" ? !tensor : operators[node.op] !== undefined ||
      node.op === "neg" || functions[node.op]?.np !== undefined;
    const found = named && this.values(id) !== undefined &&
      node.args.every((arg) => this.#isNumpy(arg));
    this.#numpy.set(id, found);
    return found;
  }

  #call(id: NodeId, name: string, args: readonly string[]): Text {
    return atom(`${this.#isNumpy(id) ? "np" : "pt"}.${name}(${args.join(", ")})`);
  }

  #map(node: MapNode): Text {
    const { op, args } = node;
    if (op === "neg") {
      const inner = this.#number(args[0]);
      return { text: `-${within(inner, levels.power)}`, level: levels.sign };
    }
    if (op === "mul" && args[0] === args[1]) {
      return { text: `${within(this.#number(args[0]), levels.atom)} ** 2`, level: levels.power };
    }
    const operator = operators[op];
    if (operator) return this.#binary(op, operator, args);
    const names = functions[op];
    if (!names) throw new CannotPrint(`the function ${op}`);
    const numpy = names.np !== undefined && args.every((arg) => this.#isNumpy(arg));
    const inner = this.#ordered(op, args).map((arg) => this.argument(arg));
    return atom(`${numpy ? `np.${names.np}` : `pt.${names.pt}`}(${inner.join(", ")})`);
  }

  #binary(
    op: MapNode["op"],
    { sign, level }: { readonly sign: string; readonly level: number },
    args: readonly NodeId[],
  ): Text {
    const [first, second] = this.#ordered(op, args).map((arg) => this.#number(arg));
    const whole = op === "pow" && /^-\d+$/.test(second.text);
    const right = whole ? { text: `${second.text}.0`, level: levels.sign } : second;
    const tight = level === levels.comparison || level === levels.power ? 1 : 0;
    const right_ = op === "pow" ? levels.sign : level + 1;
    return { text: `${within(first, level + tight)} ${sign} ${within(right, right_)}`, level };
  }

  /** An operand of arithmetic: truths as numbers, which NumPy would add as truths. */
  #number(id: NodeId): Text {
    const node = this.options.nodes[id];
    const text = this.text(id);
    if (node.kind !== "map" || !truths.has(node.op)) return text;
    return atom(`${within(text, levels.atom)}.astype("float64")`);
  }

  /** Operands that may be swapped, in the order in which people write them. */
  #ordered(op: MapNode["op"], args: readonly NodeId[]): readonly NodeId[] {
    if (op !== "add" && op !== "mul") return args;
    const { nodes } = this.options;
    const rank = (id: NodeId) => {
      const { kind } = nodes[id];
      if (kind === "constant") return op === "mul" ? 0 : 3;
      if (kind === "parameter" || kind === "gather" || kind === "take") return 1;
      return 2;
    };
    return rank(args[0]) > rank(args[1]) ? [args[1], args[0]] : args;
  }

  #reduce(node: ReduceNode): Text {
    const [x] = node.args;
    const all = node.axes.length === this.options.nodes[x].shape.length;
    const axis = node.axes.length === 1 ? `${node.axes[0]}` : tupleText(node.axes);
    const prefix = this.#isNumpy(x) ? "np" : "pt";
    return atom(`${prefix}.${node.op}(${this.argument(x)}${all ? "" : `, axis=${axis}`})`);
  }

  #reshape(id: NodeId, { args: [x], shape }: ReshapeNode): Text {
    const inner = this.options.nodes[x];
    if (inner.kind === "matmul" && !this.#known.has(x)) {
      const vector = this.#product(inner.args, shape);
      if (vector) return vector;
    }
    const from = inner.shape;
    const added = shape.findIndex((extent, axis) =>
      extent === 1 && sameShape(shape.filter((_, k) => k !== axis), from)
    );
    if (added >= 0 && from.length > 0) {
      const items = shape.map((_, axis) => axis === added ? "None" : ":");
      while (items.at(-1) === ":") items.pop();
      return atom(`${within(this.text(x), levels.atom)}[${items.join(", ")}]`);
    }
    return this.#call(id, "reshape", [this.argument(x), tupleText(shape)]);
  }

  /** `A @ b` for a vector, which the graph has as a column or a row. */
  #product([a, b]: readonly NodeId[], shape: Shape): Text | undefined {
    const { nodes } = this.options;
    const [rows, columns] = [nodes[a].shape[0], nodes[b].shape[1]];
    if (columns === 1 && sameShape(shape, [rows])) {
      const vector = this.#vector(b);
      if (vector !== undefined) return product(this.text(a), vector);
    }
    if (rows !== 1 || !sameShape(shape, [columns])) return undefined;
    const vector = this.#vector(a);
    return vector === undefined ? undefined : product(vector, this.text(b));
  }

  /** The vector that a node shows as a matrix of one row or column. */
  #vector(id: NodeId): Text | undefined {
    const node = this.options.nodes[id];
    if (node.kind === "constant") return this.#constant(node.values, [node.values.length]);
    if (node.kind !== "reshape" || this.#known.has(id)) return undefined;
    const [x] = node.args;
    return this.options.nodes[x].shape.length === 1 ? this.text(x) : undefined;
  }

  #gather(id: NodeId, { args: [x], index, shape }: GatherNode): Text {
    const from = this.options.nodes[x].shape;
    if (index.some((at) => at < 0)) return this.#withZeros(x, index, shape);
    if (isBroadcast(from, index, shape)) {
      return this.#call(id, "broadcast_to", [this.argument(x), tupleText(shape)]);
    }
    return this.#picked(id, x, index, shape);
  }

  #take(id: NodeId, { args: [x, places], shape }: TakeNode): Text {
    const index = this.values(places);
    if (index) {
      return this.#picked(id, x, index, shape, places);
    }
    const vector = this.options.nodes[x].shape.length === 1;
    const base = vector ? within(this.text(x), levels.atom) : `pt.flatten(${this.argument(x)})`;
    return atom(`${base}[${this.argument(places)}]`);
  }

  #picked(
    id: NodeId,
    x: NodeId,
    index: ArrayLike<number>,
    shape: Shape,
    places?: NodeId,
  ): Text {
    const from = this.options.nodes[x].shape;
    if (shape.length > 0 && Array.from(index).every((at) => at === index[0])) {
      const one = this.#picked(id, x, [index[0]], []);
      return this.#call(id, "broadcast_to", [one.text, tupleText(shape)]);
    }
    const positions = (values: readonly number[], to: Shape) =>
      this.#positions(values, to, from.length === 1 ? places : undefined);
    const part = partText(from, index, shape, positions);
    if (part !== undefined) return atom(`${within(this.text(x), levels.atom)}${part}`);
    const at = this.#positions(Array.from(index), shape, places);
    const ravel = this.#isNumpy(id) ? "np.ravel" : "pt.flatten";
    return atom(`${ravel}(${this.argument(x)})[${at}]`);
  }

  /** Whole positions: the column that holds them, the expression that they are computed from, or numbers. */
  #positions(values: readonly number[], shape: Shape, places?: NodeId): string {
    const column = this.options.dataset.columns.find((one) =>
      one.role !== "response" && one.role !== "ignore" &&
      sameShape(one.shape ?? [one.values.length], shape) &&
      values.every((value, i) => value === one.values[i])
    );
    if (column) return this.#columnText(column.name);
    const node = places === undefined ? undefined : this.options.nodes[places];
    if (node && node.kind !== "constant" && sameShape(node.shape, shape)) {
      return `${within(this.text(places!), levels.atom)}.astype(int)`;
    }
    return `np.array(${nested(values, shape)})`;
  }

  /** Elements among zeros: the factor that packs its lower triangle, a diagonal. */
  #withZeros(x: NodeId, index: Int32Array, shape: Shape): Text {
    const from = this.options.nodes[x].shape;
    const n = this.packed.get(x) ?? Math.floor((Math.sqrt(8 * sizeOf(from) + 1) - 1) / 2);
    const triangle = from.length === 1 && n * (n + 1) / 2 === from[0];
    if (triangle) {
      const whole = unpacked(n);
      const factor = `pm.expand_packed_triangular(${n}, ${this.argument(x)})`;
      if (sameShape(shape, [n, n]) && index.every((at, i) => at === whole[i])) return atom(factor);
      const part = partOfTriangle(
        whole,
        n,
        index,
        shape,
        (values, to) => this.#positions(values, to),
      );
      if (part !== undefined) return atom(`${factor}${part}`);
    }
    const diagonal = from.length === 1 && sameShape(shape, [from[0], from[0]]) &&
      index.every((at, i) => at === (i % (from[0] + 1) === 0 ? i / (from[0] + 1) : -1));
    if (diagonal) return atom(`pt.diag(${this.argument(x)})`);
    if (from.length === 2 && sameShape(from, shape)) {
      const [rows, columns] = from;
      const keeps = (kept: (i: number, j: number) => boolean) =>
        rows > 0 &&
        index.every((at, i) => at === (kept(Math.floor(i / columns), i % columns) ? i : -1));
      if (keeps((i, j) => j <= i)) return atom(`pt.tril(${this.argument(x)})`);
      if (keeps((i, j) => j >= i)) return atom(`pt.triu(${this.argument(x)})`);
    }
    const zero = sizeOf(from);
    const places = Array.from(index, (at) => at < 0 ? zero : at);
    const longer = `pt.concatenate([pt.flatten(${this.argument(x)}), np.zeros(1)])`;
    return atom(`${longer}[np.array(${nested(places, shape)})]`);
  }

  #join(id: NodeId, { args, shape }: JoinNode): Text {
    const { nodes } = this.options;
    const first = nodes[args[0]].shape;
    const alike = args.every((arg) => sameShape(nodes[arg].shape, first));
    const items = () => `[${args.map((arg) => this.argument(arg)).join(", ")}]`;
    if (alike && sameShape(shape, [args.length, ...first])) {
      return this.#call(id, "stack", [items()]);
    }
    const inner = shape.slice(1);
    const whole = args.every((arg) => sizeOf(nodes[arg].shape) % sizeOf(inner) === 0);
    const parts = args.map((arg) => {
      const from = nodes[arg].shape;
      const wanted = whole ? [sizeOf(from) / sizeOf(inner), ...inner] : [sizeOf(from)];
      if (sameShape(from, wanted)) return this.argument(arg);
      const prefix = this.#isNumpy(id) ? "np" : "pt";
      return `${prefix}.reshape(${this.argument(arg)}, ${tupleText(wanted)})`;
    });
    const joined = this.#call(id, "concatenate", [`[${parts.join(", ")}]`]);
    return whole ? joined : this.#call(id, "reshape", [joined.text, tupleText(shape)]);
  }
}

function atom(text: string): Text {
  return { text, level: levels.atom };
}

function product(a: Text, b: Text): Text {
  const text = `${within(a, levels.product)} @ ${within(b, levels.sign)}`;
  return { text, level: levels.product };
}

/** The text, in parentheses if it holds together less tightly than is wanted. */
function within({ text, level }: Text, least: number): string {
  return level >= least ? text : `(${text})`;
}

/** Positions in a packed triangle of the elements of the factor `[n, n]`, −1 above the diagonal. */
function unpacked(n: number): Int32Array {
  const index = new Int32Array(n * n).fill(-1);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) index[i * n + j] = i * (i + 1) / 2 + j;
  return index;
}

/** A subscript of the factor whose elements these are. */
function partOfTriangle(
  whole: Int32Array,
  n: number,
  index: Int32Array,
  shape: Shape,
  positions: (values: readonly number[], shape: Shape) => string,
): string | undefined {
  const candidates: Int32Array[] = [];
  const lines = [...Array(n).keys()];
  for (const i of lines) {
    candidates.push(
      Int32Array.from(lines, (j) => i * n + j),
      Int32Array.from(lines, (j) => j * n + i),
    );
  }
  candidates.push(Int32Array.from({ length: n * n }, (_, at) => at % n * n + Math.floor(at / n)));
  const found = candidates.find((places) =>
    places.length === index.length && places.every((at, k) => whole[at] === index[k])
  );
  return found && partText([n, n], found, shape, positions);
}
