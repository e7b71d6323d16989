/** Affine forms of a program's nodes in the noise that its latents are made of. */
import { evaluateInto, reductionPlan } from "../../language/ir/evaluate.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GraphNode, MapNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { broadcastIndex, type Shape, sizeOf, stridesOf } from "../../language/ir/shape.ts";
import { locatedOf } from "./linear_latents.ts";
import { Slopes } from "./slopes.ts";

/** c + A ε: values at ε = 0, and how they move with the standard normal noise ε. */
export interface AffineForm extends ArrayValue {
  /** A `[sizeOf(shape), noise]`; absent where nothing moves. */
  readonly slopes?: Slopes;
}

/** Dependence of a node on remaining parameters and on latents. */
interface Dependence {
  /** On remaining parameters. */
  readonly varies: boolean;
  /** On latents. */
  readonly moves: boolean;
}

/**
 * Propagates affine forms through a program from its latents z to the nodes asked for. Each latent is its
 * location plus a factor of its covariance times standard normal noise ε of its own, so that all nodes are affine
 * in ε, whose covariance is the identity: a hierarchy of latents needs nothing more. Nodes independent of the
 * remaining parameters θ are computed once; those that depend on θ alone, by the code that compiles the graph.
 */
export class AffineProgram {
  /** Length of ε. */
  readonly noise: number;
  readonly #program: CheckedProgram;
  readonly #columns: ReadonlyMap<string, Float64Array>;
  /** Where the noise of each latent begins; others are absent. */
  readonly #noiseOf = new Map<number, number>();
  /** Nodes that depend on θ alone, and that others need: their values are to be given. */
  readonly frontier: readonly NodeId[];
  /** Nodes that move and vary, in order. */
  readonly #steps: readonly NodeId[];
  readonly #dependences = new Map<NodeId, Dependence>();
  readonly #forms = new Map<NodeId, AffineForm>();
  /** By shapes as objects: those of a node are the same from one run to the next. */
  readonly #indices = new Map<Shape, Map<Shape, Int32Array>>();

  /**
   * @param latents what `linearLatents` found, or some of it.
   * @param columns values by name, row-major.
   * @param targets nodes that `form` will be asked for.
   * @param held a latent or what is made of it: its own noise is left out.
   */
  constructor(
    program: CheckedProgram,
    columns: ReadonlyMap<string, Float64Array>,
    latents: readonly number[],
    targets: readonly NodeId[],
    readonly held?: NodeId,
  ) {
    this.#program = program;
    this.#columns = columns;
    let noise = 0;
    for (const k of latents) {
      this.#noiseOf.set(k, noise);
      noise += noiseCount(program.parameters[k]);
    }
    this.noise = noise;
    const order = this.#order(targets);
    const needed = new Set(targets);
    for (const id of order) {
      if (this.#dependences.get(id)!.moves) { for (const arg of this.#needs(id)) needed.add(arg); }
    }
    this.frontier = order.filter((id) => {
      const { varies, moves } = this.#dependences.get(id)!;
      return varies && !moves && needed.has(id);
    });
    const varies = (id: NodeId) => this.#dependences.get(id)!.varies;
    this.#steps = order.filter((id) => varies(id) && this.#dependences.get(id)!.moves);
    for (const id of order) if (!varies(id)) this.#compute(id);
  }

  /** Sets the values of a node of the frontier `[sizeOf(shape)]`, which are read at `run`. */
  set(id: NodeId, values: Float64Array): void {
    this.#forms.set(id, { shape: this.#program.nodes[id].shape, values });
  }

  /** Computes everything that moves and varies. */
  run(): void {
    for (const id of this.#steps) this.#compute(id);
  }

  /** The form of a target, as of the last run; overwritten by the next. */
  form(id: NodeId): AffineForm {
    return this.#forms.get(id)!;
  }

  /** Needed nodes, those that a node needs before it; a latent needs the arguments of its prior. */
  #order(targets: readonly NodeId[]): NodeId[] {
    const order: NodeId[] = [];
    const visit = (id: NodeId): Dependence => {
      const known = this.#dependences.get(id);
      if (known) return known;
      const needs = this.#needs(id).map(visit);
      const node = this.#program.nodes[id];
      const isLatent = node.kind === "parameter" && this.#noiseOf.has(node.parameter);
      const varies = needs.some((one) => one.varies) || (node.kind === "parameter" && !isLatent);
      const own = { varies, moves: isLatent || needs.some(({ moves }) => moves) };
      this.#dependences.set(id, own);
      order.push(id);
      return own;
    };
    for (const id of targets) visit(id);
    return order;
  }

  #needs(id: NodeId): readonly NodeId[] {
    const node = this.#program.nodes[id];
    if (node.kind !== "parameter") return id === this.held ? [] : node.args;
    if (!this.#noiseOf.has(node.parameter)) return [];
    const found = locatedOf(this.#program.parameters[node.parameter].prior)!;
    const { location, scale, coefficients = [] } = found;
    return id === this.held ? location : [...location, ...scale, ...coefficients];
  }

  #compute(id: NodeId): void {
    const node = this.#program.nodes[id];
    if (id === this.held && node.kind !== "parameter") {
      return void this.#blank(id, node.shape, false);
    }
    switch (node.kind) {
      case "column":
        this.#forms.set(id, { shape: node.shape, values: this.#columns.get(node.column)! });
        return;
      case "constant":
        this.#forms.set(id, { shape: node.shape, values: node.values });
        return;
      case "parameter":
        return this.#parameter(id, node.parameter, node.shape);
      default:
        return this.#operation(id, node);
    }
  }

  #parameter(id: NodeId, parameter: number, shape: Shape): void {
    const offset = this.#noiseOf.get(parameter)!;
    const form = this.#blank(id, shape, true);
    if (id === this.held) {
      const [location] = this.#program.parameters[parameter].prior.args;
      return this.#located(location, form as Moving);
    }
    this.#drawn(this.#program.parameters[parameter].prior, offset, form as Moving);
  }

  #operation(id: NodeId, node: GraphNode): void {
    const args = node.args.map((arg) => this.#forms.get(arg)!);
    const moves = args.some(({ slopes }) => slopes);
    const form = this.#blank(id, node.shape, moves && node.kind !== "reshape");
    evaluateInto(node, args, form.values);
    if (!moves) return;
    if (node.kind === "reshape") {
      this.#forms.set(id, { ...form, slopes: args[0].slopes });
    } else this.#slopes(node, args, form as Moving);
  }

  /** A form to be written into, that of the last time if there was one. */
  #blank(id: NodeId, shape: Shape, moves: boolean): AffineForm {
    let form = this.#forms.get(id);
    if (!form) {
      const size = sizeOf(shape);
      const values = new Float64Array(size);
      form = { shape, values, ...(moves && { slopes: new Slopes(size, this.noise) }) };
      this.#forms.set(id, form);
    } else if (moves) form.slopes!.clear();
    return form;
  }

  /** By element of a shape, which element of an array of another broadcasts there. */
  index(from: Shape, to: Shape): Int32Array {
    let own = this.#indices.get(from);
    if (!own) this.#indices.set(from, own = new Map());
    let index = own.get(to);
    if (!index) own.set(to, index = broadcastIndex(from, to));
    return index;
  }

  #slopes(node: GraphNode, args: readonly AffineForm[], out: Moving): void {
    const { slopes } = out;
    const [first, second] = args;
    switch (node.kind) {
      case "map":
        return this.#map(node, args, out);
      case "reduce": {
        const { bases, offsets } = reductionPlan(first.shape, node.axes);
        for (let i = 0; i < bases.length; i++) {
          for (const offset of offsets) slopes.add(i, first.slopes!, bases[i] + offset, 1);
        }
        return;
      }
      case "scan": {
        const stride = stridesOf(first.shape)[node.axis];
        const extent = first.shape[node.axis];
        for (let i = 0; i < slopes.rows; i++) {
          if (Math.floor(i / stride) % extent !== 0) slopes.add(i, slopes, i - stride, 1);
          slopes.add(i, first.slopes!, i, 1);
        }
        return;
      }
      case "gather":
        for (let i = 0; i < slopes.rows; i++) {
          if (node.index[i] >= 0) slopes.add(i, first.slopes!, node.index[i], 1);
        }
        return;
      case "scatter":
        for (let i = 0; i < node.index.length; i++) {
          if (node.index[i] >= 0) slopes.add(node.index[i], first.slopes!, i, 1);
        }
        return;
      case "take":
        for (let i = 0; i < slopes.rows; i++) slopes.add(i, first.slopes!, second.values[i], 1);
        return;
      case "join":
        return join(args, slopes);
      case "matmul":
        return product(first, second, slopes);
      case "solve":
        return solved(first.values, second, node.transposed, slopes);
      default:
        throw new Error(`internal: a ${node.kind} of latents is not linear`);
    }
  }

  #map({ op, shape }: MapNode, args: readonly AffineForm[], { slopes }: Moving): void {
    for (let k = 0; k < args.length; k++) {
      const own = args[k].slopes;
      if (!own) continue;
      const index = this.index(args[k].shape, shape);
      const factorOf = this.#factors(op, shape, args, k);
      for (let i = 0; i < slopes.rows; i++) slopes.add(i, own, index[i], factorOf(i));
    }
  }

  /** How the elements of a map move with those of its k-th argument. */
  #factors(
    op: MapNode["op"],
    shape: Shape,
    args: readonly AffineForm[],
    k: number,
  ): (i: number) => number {
    const valuesOf = (j: number): (i: number) => number => {
      const { values } = args[j];
      const index = this.index(args[j].shape, shape);
      return (i) => values[index[i]];
    };
    switch (op) {
      case "add":
        return () => 1;
      case "sub":
        return k === 0 ? () => 1 : () => -1;
      case "neg":
        return () => -1;
      case "mul":
        return valuesOf(1 - k);
      case "div": {
        const divisor = valuesOf(1);
        return (i) => 1 / divisor(i);
      }
      case "where": {
        const condition = valuesOf(0);
        return (i) => (condition(i) !== 0) === (k === 1) ? 1 : 0;
      }
      default:
        throw new Error(`internal: ${op} of latents is not linear`);
    }
  }

  /** A draw from a normal distribution of any kind: location, and factor times noise. */
  #drawn(prior: Distribution, offset: number, out: Moving): void {
    switch (prior.family) {
      case "normal":
        this.#located(prior.args[0], out);
        return this.#scaled(prior.args[1], offset, out);
      case "mv_normal":
        this.#located(prior.args[0], out);
        return factored(this.#forms.get(prior.args[1])!, offset, out);
      case "gaussian_random_walk":
        return this.#walk(prior, offset, out);
      case "zero_sum_normal":
        return this.#zeroSum(prior, offset, out);
      case "ar":
        return this.#autoregression(prior, offset, out);
      default:
        throw new Error(`internal: ${prior.family} is no normal distribution`);
    }
  }

  #located(location: NodeId, out: Moving): void {
    const form = this.#forms.get(location)!;
    const index = this.index(form.shape, out.shape);
    for (let i = 0; i < out.values.length; i++) {
      out.values[i] = form.values[index[i]];
      if (form.slopes) out.slopes.add(i, form.slopes, index[i], 1);
    }
  }

  #scaled(scale: NodeId, offset: number, { shape, values, slopes }: Moving): void {
    const form = this.#forms.get(scale)!;
    const index = this.index(form.shape, shape);
    for (let i = 0; i < values.length; i++) slopes.put(i, offset + i, form.values[index[i]]);
  }

  /** x_0 from its own distribution, x_t = x_(t−1) + μ + σ ε_t. */
  #walk({ args, components }: Distribution, offset: number, out: Moving): void {
    const { shape, values, slopes } = out;
    const batch = shape.slice(0, -1);
    const reader = (id: NodeId) => {
      const form = this.#forms.get(id)!;
      return { form, index: this.index(form.shape, batch) };
    };
    const [mu, sigma] = args.map(reader);
    const [start, spread] = components![0].args.map(reader);
    const steps = shape[shape.length - 1];
    for (let i = 0; i < values.length; i++) {
      const first = i % steps === 0;
      const row = Math.floor(i / steps);
      const [location, scale] = first ? [start, spread] : [mu, sigma];
      values[i] = location.form.values[location.index[row]] + (first ? 0 : values[i - 1]);
      if (!first) slopes.add(i, slopes, i - 1, 1);
      if (location.form.slopes) slopes.add(i, location.form.slopes, location.index[row], 1);
      slopes.put(i, offset + i, scale.form.values[scale.index[row]]);
    }
  }

  /** As many values as its order from their own distribution, x_t = ρ_0 + Σ ρ_k x_(t−k) + σ ε_t. */
  #autoregression({ args, components, sizes }: Distribution, offset: number, out: Moving): void {
    const { shape, values, slopes } = out;
    const [order, constant = 0] = sizes!;
    const steps = shape[shape.length - 1];
    const read = (id: NodeId, to: Shape) => {
      const form = this.#forms.get(id)!;
      const index = this.index(form.shape, to);
      return { form, at: (i: number) => index[i] };
    };
    const batch = shape.slice(0, -1);
    const rho = read(args[0], [...batch, order + constant]);
    const sigma = read(args[1], batch);
    const [start, spread] = components![0].args.map((id) => read(id, [...batch, order]));
    for (let i = 0; i < values.length; i++) {
      const [row, t] = [Math.floor(i / steps), i % steps];
      const own = row * order + t;
      const scale = t < order ? spread : sigma;
      slopes.put(i, offset + i, scale.form.values[scale.at(t < order ? own : row)]);
      if (t < order) {
        values[i] = start.form.values[start.at(own)];
        if (start.form.slopes) slopes.add(i, start.form.slopes, start.at(own), 1);
        continue;
      }
      const coefficient = (k: number) => rho.form.values[rho.at(row * (order + constant) + k)];
      values[i] = constant === 1 ? coefficient(0) : 0;
      for (let k = 1; k <= order; k++) {
        const factor = coefficient(k - 1 + constant);
        values[i] += factor * values[i - k];
        slopes.add(i, slopes, i - k, factor);
      }
    }
  }

  /** An orthonormal basis of the vectors that sum to zero (Helmert) times noise. */
  #zeroSum({ args }: Distribution, offset: number, { shape, values, slopes }: Moving): void {
    const sigma = this.#forms.get(args[0])!.values;
    const n = shape[shape.length - 1];
    values.fill(0);
    for (let i = 0; i < values.length; i++) {
      const [row, element] = [Math.floor(i / n), i % n];
      const scale = sigma.length === 1 ? sigma[0] : sigma[row];
      for (let j = Math.max(1, element); j < n; j++) {
        const weight = element < j ? 1 : -j;
        slopes.put(i, offset + row * (n - 1) + j - 1, scale * weight / Math.sqrt(j * (j + 1)));
      }
    }
  }
}

/** A form with slopes. */
type Moving = AffineForm & { readonly slopes: Slopes };

/** Standard normal numbers that a latent is made of. */
export function noiseCount({ prior, shape }: CheckedProgram["parameters"][number]): number {
  const size = sizeOf(shape);
  return prior.family === "zero_sum_normal" ? size - size / shape[shape.length - 1] : size;
}

/** Every vector of a batch moves with the factor of its covariance. */
function factored(factor: AffineForm, offset: number, { values, slopes }: Moving): void {
  const n = factor.shape[factor.shape.length - 1];
  for (let i = 0; i < values.length; i++) {
    const element = i % n;
    for (let k = 0; k <= element; k++) {
      slopes.put(i, offset + i - element + k, factor.values[element * n + k]);
    }
  }
}

function join(args: readonly AffineForm[], out: Slopes): void {
  let at = 0;
  for (const { values, slopes } of args) {
    if (slopes) { for (let j = 0; j < values.length; j++) out.add(at + j, slopes, j, 1); }
    at += values.length;
  }
}

/** Slopes of `[n, k] × [k, m]`, of which one factor moves. */
function product(a: AffineForm, b: AffineForm, out: Slopes): void {
  const [n, shared] = a.shape;
  const m = b.shape[1];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      for (let k = 0; k < shared; k++) {
        const [left, right] = [i * shared + k, k * m + j];
        if (a.slopes) out.add(i * m + j, a.slopes, left, b.values[right]);
        if (b.slopes) out.add(i * m + j, b.slopes, right, a.values[left]);
      }
    }
  }
}

/** Slopes of the solution of `L X = B`, or of `Lᵀ X = B`. */
function solved(l: Float64Array, b: AffineForm, transposed: boolean, out: Slopes): void {
  const [n, m] = b.shape;
  for (let step = 0; step < n; step++) {
    const i = transposed ? n - 1 - step : step;
    for (let j = 0; j < m; j++) {
      out.add(i * m + j, b.slopes!, i * m + j, 1);
      for (let before = 0; before < step; before++) {
        const k = transposed ? n - 1 - before : before;
        out.add(i * m + j, out, k * m + j, -(transposed ? l[k * n + i] : l[i * n + k]));
      }
      out.scale(i * m + j, 1 / l[i * n + i]);
    }
  }
}
