/** The syntax tree of a program: what the parser builds and the checker walks. */
import type { Place } from "./source.ts";

export type Expression =
  | NumberLiteral
  | StringLiteral
  | ConstantLiteral
  | Name
  | Attribute
  | Subscript
  | Slice
  | Call
  | Unary
  | Binary
  | BooleanOperation
  | Comparison
  | Conditional
  | Sequence
  | Dictionary
  | Starred
  | Lambda
  | Comprehension
  | FormattedString;

export interface NumberLiteral extends Place {
  readonly kind: "number";
  readonly value: number;
  /** `1j`, which the subset has no use for. */
  readonly imaginary: boolean;
}
export interface StringLiteral extends Place {
  readonly kind: "string";
  readonly value: string;
  readonly bytes: boolean;
}
export interface ConstantLiteral extends Place {
  readonly kind: "constant";
  readonly value: "None" | "True" | "False" | "...";
}
export interface Name extends Place {
  readonly kind: "name";
  readonly id: string;
}
export interface Attribute extends Place {
  readonly kind: "attribute";
  readonly object: Expression;
  readonly name: Name;
}
export interface Subscript extends Place {
  readonly kind: "subscript";
  readonly object: Expression;
  readonly index: Expression;
}
export interface Slice extends Place {
  readonly kind: "slice";
  readonly parts: readonly (Expression | undefined)[];
}
/** One argument: positional, `keyword=value`, `*value` or `**value`. */
export interface Argument extends Place {
  readonly form: "positional" | "keyword" | "star" | "double_star";
  readonly keyword?: Name;
  readonly value: Expression;
}
export interface Call extends Place {
  readonly kind: "call";
  readonly callee: Expression;
  readonly arguments: readonly Argument[];
}
export interface Unary extends Place {
  readonly kind: "unary";
  readonly op: "-" | "+" | "~" | "not";
  readonly operand: Expression;
}
export interface Binary extends Place {
  readonly kind: "binary";
  readonly op: string;
  readonly left: Expression;
  readonly right: Expression;
}
export interface BooleanOperation extends Place {
  readonly kind: "boolean";
  readonly op: "and" | "or";
  readonly operands: readonly Expression[];
}
export interface Comparison extends Place {
  readonly kind: "comparison";
  readonly ops: readonly string[];
  readonly operands: readonly Expression[];
}
export interface Conditional extends Place {
  readonly kind: "conditional";
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}
export interface Sequence extends Place {
  readonly kind: "tuple" | "list" | "set";
  readonly items: readonly Expression[];
}
/** `keys[i]` is undefined for `**values[i]`. */
export interface Dictionary extends Place {
  readonly kind: "dictionary";
  readonly keys: readonly (Expression | undefined)[];
  readonly values: readonly Expression[];
}
export interface Starred extends Place {
  readonly kind: "starred";
  readonly value: Expression;
}

/** `lambda a, b=1: body`. */
export interface Lambda extends Place {
  readonly kind: "lambda";
  readonly parameters: readonly FunctionParameter[];
  readonly body: Expression;
}
/** `for target in over if test …` of a comprehension. */
export interface ComprehensionClause {
  readonly target: Expression;
  readonly over: Expression;
  readonly tests: readonly Expression[];
}
/** `[item for …]`; a dictionary has a `value` too. */
export interface Comprehension extends Place {
  readonly kind: "comprehension";
  readonly form: "list" | "set" | "generator" | "dictionary";
  readonly item: Expression;
  readonly value?: Expression;
  readonly clauses: readonly ComprehensionClause[];
}
/** An f-string, or strings in a row of which one is: texts and replacement fields. */
export interface FormattedString extends Place {
  readonly kind: "formatted";
  readonly parts: readonly (string | FormattedField)[];
}
/** `{value!r:format}`. */
export interface FormattedField extends Place {
  readonly value: Expression;
  readonly conversion?: string;
  readonly format?: string;
}

export type Statement =
  | ImportStatement
  | AssignStatement
  | ExpressionStatement
  | ReturnStatement
  | SimpleStatement
  | WithStatement
  | FunctionDefinition
  | CompoundStatement;

/** `import module as name`, or `from module import …`. */
export interface ImportStatement extends Place {
  readonly kind: "import";
  readonly form: "import" | "from";
  readonly imports: readonly { readonly module: string; readonly name: string }[];
}
/** `a = b = value`, `a += value` (with `op`) or `a: annotation = value`. */
export interface AssignStatement extends Place {
  readonly kind: "assign";
  readonly form: "plain" | "augmented" | "annotated";
  /** The operator before `=`, of an augmented assignment. */
  readonly op?: string;
  readonly targets: readonly Expression[];
  readonly value?: Expression;
}
export interface ExpressionStatement extends Place {
  readonly kind: "expression";
  readonly value: Expression;
}
export interface ReturnStatement extends Place {
  readonly kind: "return";
  readonly value?: Expression;
}
export interface SimpleStatement extends Place {
  readonly kind: "pass" | "break" | "continue";
}
export interface WithItem {
  readonly context: Expression;
  readonly target?: Expression;
}
export interface WithStatement extends Place {
  readonly kind: "with";
  readonly items: readonly WithItem[];
  readonly body: readonly Statement[];
}
export interface FunctionParameter extends Place {
  readonly form: "plain" | "keyword_only" | "star" | "double_star";
  readonly name: Name;
  readonly default?: Expression;
}
export interface FunctionDefinition extends Place {
  readonly kind: "def";
  readonly name: Name;
  readonly parameters: readonly FunctionParameter[];
  readonly body: readonly Statement[];
}
/** Loops, branches and classes. A `for` has its target and what it runs over as `expressions`. */
export interface CompoundStatement extends Place {
  readonly kind: "if" | "for" | "while" | "class";
  readonly expressions: readonly Expression[];
  readonly bodies: readonly (readonly Statement[])[];
}

/** Parts of an expression, from left to right. */
export function children(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case "attribute":
      return [e.object];
    case "subscript":
      return [e.object, e.index];
    case "slice":
      return e.parts.filter((part) => part !== undefined);
    case "call":
      return [e.callee, ...e.arguments.map((argument) => argument.value)];
    case "unary":
      return [e.operand];
    case "binary":
      return [e.left, e.right];
    case "boolean":
    case "comparison":
      return e.operands;
    case "conditional":
      return [e.then, e.test, e.otherwise];
    case "tuple":
    case "list":
    case "set":
      return e.items;
    case "dictionary":
      return [...e.keys.filter((key) => key !== undefined), ...e.values];
    case "starred":
      return [e.value];
    case "lambda":
      return [...e.parameters.flatMap((p) => p.default ?? []), e.body];
    case "comprehension": {
      const clauses = e.clauses.flatMap(({ target, over, tests }) => [target, over, ...tests]);
      return [...clauses, e.item, ...e.value ? [e.value] : []];
    }
    case "formatted":
      return e.parts.flatMap((part) => typeof part === "string" ? [] : [part.value]);
    default:
      return [];
  }
}
