/** From a checked program and data to a plan: instructions, terms and operands, not yet linked. */
import type { CheckedProgram, Distribution, Family, NodeId } from "../lang/graph.ts";
import type { Dataset } from "../base/dataset.ts";
import { log } from "../math/elementary.ts";
import { familyRules } from "./families/table.ts";
import { instructionOf, TapeBuilder } from "./lower_operations.ts";
import { isFree, Layout, maskOf, type Operand } from "./layout.ts";
import type { FamilyRule, FamilyTerm } from "./term.ts";
import {
  exponentialJacobian,
  intervalJacobian,
  type JacobianKernel,
  logoddsJacobian,
  transformKernels,
} from "./transforms.ts";
import type { TransformOp } from "./instruction.ts";

/** The log Jacobian of one parameter. */
export interface JacobianTerm {
  readonly kernel: JacobianKernel;
  readonly q: number;
  readonly width: number;
  readonly widthFree: boolean;
}

/** A family's rule beside the term that it sums. */
export interface RuledTerm {
  readonly family: Family;
  readonly rule: FamilyRule;
  readonly term: FamilyTerm;
  /** The rule's `column` applies: constant positive values where logarithms are needed. */
  readonly column: boolean;
}

/** Builds operands on demand, each node once, arguments first. */
export class Planner {
  readonly layout = new Layout();
  readonly tape = new TapeBuilder(this.layout);
  readonly jacobians: (() => JacobianTerm)[] = [];
  /** The constant part of all log Jacobians. */
  jacobianConstant = 0;
  readonly unconstrained: Operand[];
  readonly #nodes: (Operand | undefined)[];
  readonly #parameters: (Operand | undefined)[];
  readonly #zero: Operand;

  constructor(
    readonly program: CheckedProgram,
    readonly dataset: Dataset,
    readonly omitted?: number,
  ) {
    this.unconstrained = program.parameters.map(() => this.layout.free(1, false));
    this.#nodes = program.nodes.map(() => undefined);
    this.#parameters = program.parameters.map(() => undefined);
    this.#zero = this.layout.constant(new Float64Array(1), false);
  }

  /** The operand of a node. */
  node(id: NodeId): Operand {
    return this.#nodes[id] ??= this.#lower(id);
  }

  /** The constrained value of a parameter. */
  parameter(index: number): Operand {
    return this.#parameters[index] ??= this.#constrained(index);
  }

  /** A column of the data without the omitted row. */
  column(name: string): Operand {
    const column = this.dataset.columns.find((c) => c.name === name);
    if (!column) throw new Error(`internal: a checked program reads unknown column ${name}`);
    const kept = column.values.filter((_, row) => row !== this.omitted);
    return this.layout.constant(kept, true);
  }

  #lower(id: NodeId): Operand {
    const node = this.program.nodes[id];
    switch (node.kind) {
      case "constant":
        return this.layout.constant(Float64Array.of(node.value), false);
      case "column":
        return this.column(node.column);
      case "parameter":
        return this.parameter(node.parameter);
      case "unary":
        return this.tape.unary(node.op, this.node(node.argument));
      case "binary":
        return this.tape.binary(node.op, this.node(node.left), this.node(node.right));
    }
  }

  #constrained(index: number): Operand {
    const q = this.unconstrained[index];
    const { transform } = this.program.parameters[index];
    switch (transform.kind) {
      case "identity":
        return q;
      case "log":
        this.#jacobian(exponentialJacobian, q);
        return this.#transformed("logTransform", q);
      case "logodds":
        this.#jacobian(logoddsJacobian, q);
        return this.#transformed("logoddsTransform", q);
      case "interval":
        return this.#interval(q, this.node(transform.lower), this.node(transform.upper));
    }
  }

  #interval(q: Operand, lower: Operand, upper: Operand): Operand {
    const open = lower.constant?.[0] === -Infinity;
    if (upper.constant?.[0] === Infinity) {
      if (open) return q;
      this.#jacobian(exponentialJacobian, q);
      return this.#transformed("lowerBoundTransform", q, lower);
    }
    if (open) {
      this.#jacobian(exponentialJacobian, q);
      return this.#transformed("upperBoundTransform", q, upper);
    }
    const width = this.tape.binary("sub", upper, lower);
    if (width.constant) {
      this.jacobianConstant += log(width.constant[0]);
      this.#jacobian(logoddsJacobian, q);
    } else this.#jacobian(intervalJacobian, q, width);
    const share = this.#transformed("logoddsTransform", q);
    return this.tape.binary("add", lower, this.tape.binary("mul", width, share));
  }

  #transformed(op: TransformOp, q: Operand, bound: Operand = q): Operand {
    const out = this.layout.free(1, false);
    this.tape.append(() => instructionOf(op, transformKernels[op], out, q, bound));
    return out;
  }

  #jacobian(kernel: JacobianKernel, q: Operand, width: Operand = q): void {
    this.jacobians.push(() => ({
      kernel,
      q: q.address,
      width: width.address,
      widthFree: isFree(width),
    }));
  }

  /** The prior of a parameter as a term; a constant normaliser is returned apart. */
  prior(index: number): { build: () => RuledTerm; constant: number } {
    const { prior } = this.program.parameters[index];
    const rule = familyRules[prior.family];
    const args = prior.arguments.map((id) => this.node(id));
    const folded = args.every((a) => a.constant);
    const at = (j: number) => args[j]?.constant?.[0] ?? 0;
    const slope = new Float64Array(5);
    const constant = folded ? rule.normaliser(at(0), at(1), at(2), at(3), slope) : 0;
    return { build: this.#term(rule, prior, this.parameter(index), folded), constant };
  }

  /** The likelihood of the response column. */
  likelihood(): () => RuledTerm {
    const { likelihood } = this.program;
    const response = this.column(likelihood.column);
    return this.#term(familyRules[likelihood.family], likelihood, response, false);
  }

  #term(rule: FamilyRule, law: Distribution, x: Operand, folded: boolean): () => RuledTerm {
    const args = law.arguments.map((id) => this.node(id));
    const p = (j: number) => args[j] ?? this.#zero;
    const positive = x.constant?.every((value) => value > 0) ?? false;
    const logs = rule.usesLogValue && positive;
    const logX = logs ? this.layout.constant(x.constant!.map(log), true) : this.#zero;
    const column = rule.column !== undefined && x.constant !== undefined && x.vector &&
      (positive || !rule.usesLogValue);
    const build = () => familyTerm(x, [p(0), p(1), p(2), p(3)], logX, folded);
    return () => ({ family: law.family, rule, term: build(), column });
  }
}

function familyTerm(
  x: Operand,
  [a, b, c, d]: readonly [Operand, Operand, Operand, Operand],
  logX: Operand,
  folded: boolean,
): FamilyTerm {
  return {
    n: x.n,
    x: x.address,
    xMask: maskOf(x),
    xFree: isFree(x),
    p0: a.address,
    mask0: maskOf(a),
    free0: isFree(a),
    p1: b.address,
    mask1: maskOf(b),
    free1: isFree(b),
    p2: c.address,
    mask2: maskOf(c),
    free2: isFree(c),
    p3: d.address,
    mask3: maskOf(d),
    free3: isFree(d),
    logX: logX.address,
    folded,
  };
}
