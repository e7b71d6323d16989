/** The syntax tree of a program: the parser builds it, the checker reads it. */
import type { Place } from "./source.ts";

/** A node of the tree, with its place in the text. */
export interface SyntaxNode<Kind extends string> extends Place {
  /** Discriminates nodes: a union of them is narrowed by it. */
  readonly kind: Kind;
}

/** Every node that has a value. */
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

/** `1`, `0x1f`, `1e-3`, `1j`. */
export interface NumberLiteral extends SyntaxNode<"number"> {
  /** In double precision; of `1j` the factor of the imaginary unit. */
  readonly value: number;
  /** `1j`, which the subset has no use for. */
  readonly imaginary: boolean;
}
/** `"text"`, `b"bytes"`, and such in a row. */
export interface StringLiteral extends SyntaxNode<"string"> {
  /** With escapes resolved. */
  readonly value: string;
  /** Whether it has the prefix `b`. */
  readonly bytes: boolean;
}
/** `None`, `True`, `False` or `...`. */
export interface ConstantLiteral extends SyntaxNode<"constant"> {
  /** As written. */
  readonly value: "None" | "True" | "False" | "...";
}
/** An identifier. */
export interface Name extends SyntaxNode<"name"> {
  /** In Unicode's normal form NFKC, as CPython compares identifiers. */
  readonly id: string;
}
/** `object.name`. */
export interface Attribute extends SyntaxNode<"attribute"> {
  /** Left of the point. */
  readonly object: Expression;
  /** Right of the point. */
  readonly name: Name;
}
/** `object[index]`. */
export interface Subscript extends SyntaxNode<"subscript"> {
  /** Left of the bracket. */
  readonly object: Expression;
  /** Within brackets; of several a tuple. */
  readonly index: Expression;
}
/** `start:stop:step` within brackets. */
export interface Slice extends SyntaxNode<"slice"> {
  /** Two or three, those left out undefined. */
  readonly parts: readonly (Expression | undefined)[];
}
/** One argument: positional, `keyword=value`, `*value` or `**value`. */
export interface Argument extends Place {
  /** How the argument is handed over. */
  readonly form: "positional" | "keyword" | "star" | "double_star";
  /** Present of the form `keyword`. */
  readonly keyword?: Name;
  /** Right of `=` or of the stars. */
  readonly value: Expression;
}
/** `callee(arguments)`. */
export interface Call extends SyntaxNode<"call"> {
  /** Left of the bracket. */
  readonly callee: Expression;
  /** In the order of the text. */
  readonly arguments: readonly Argument[];
}
/** `op operand`. */
export interface Unary extends SyntaxNode<"unary"> {
  /** As written. */
  readonly op: "-" | "+" | "~" | "not";
  /** Right of the operator. */
  readonly operand: Expression;
}
/** `left op right` of arithmetic, bits and matrices. */
export interface Binary extends SyntaxNode<"binary"> {
  /** As written: `+`, `**`, `@`. */
  readonly op: string;
  /** First operand. */
  readonly left: Expression;
  /** Second operand. */
  readonly right: Expression;
}
/** `a and b and c`, or the same with `or`. */
export interface BooleanOperation extends SyntaxNode<"boolean"> {
  /** One for the whole chain. */
  readonly op: "and" | "or";
  /** Two at least. */
  readonly operands: readonly Expression[];
}
/** `a < b <= c`. */
export interface Comparison extends SyntaxNode<"comparison"> {
  /** As written, one fewer than operands: `<`, `is not`, `in`. */
  readonly ops: readonly string[];
  /** Two at least. */
  readonly operands: readonly Expression[];
}
/** `then if test else otherwise`. */
export interface Conditional extends SyntaxNode<"conditional"> {
  /** Decides which of the two is the value. */
  readonly test: Expression;
  /** Value where the test holds. */
  readonly then: Expression;
  /** Value where it does not. */
  readonly otherwise: Expression;
}
/** `(a, b)`, `[a, b]` or `{a, b}`. */
export interface Sequence extends SyntaxNode<"tuple" | "list" | "set"> {
  /** In the order of the text. */
  readonly items: readonly Expression[];
}
/** `keys[i]` is undefined for `**values[i]`. */
export interface Dictionary extends SyntaxNode<"dictionary"> {
  /** In the order of the text. */
  readonly keys: readonly (Expression | undefined)[];
  /** One for each key. */
  readonly values: readonly Expression[];
}
/** `*value` within a sequence or a target. */
export interface Starred extends SyntaxNode<"starred"> {
  /** Right of the star. */
  readonly value: Expression;
}

/** `lambda a, b=1: body`. */
export interface Lambda extends SyntaxNode<"lambda"> {
  /** In the order of the text. */
  readonly parameters: readonly FunctionParameter[];
  /** Right of the colon. */
  readonly body: Expression;
}
/** `for target in over if test …` of a comprehension. */
export interface ComprehensionClause {
  /** Names that each item is bound to. */
  readonly target: Expression;
  /** Iterable, right of `in`. */
  readonly over: Expression;
  /** Conditions behind `if`, all of which must hold. */
  readonly tests: readonly Expression[];
}
/** `[item for …]`; a dictionary has a `value` too. */
export interface Comprehension extends SyntaxNode<"comprehension"> {
  /** Collection that comes out. */
  readonly form: "list" | "set" | "generator" | "dictionary";
  /** Expression of each item; of a dictionary, its key. */
  readonly item: Expression;
  /** Present of a dictionary. */
  readonly value?: Expression;
  /** One at least, the outermost first. */
  readonly clauses: readonly ComprehensionClause[];
}
/** An f-string, or strings in a row of which one is: texts and replacement fields. */
export interface FormattedString extends SyntaxNode<"formatted"> {
  /** In the order of the text; neighbouring texts are joined. */
  readonly parts: readonly (string | FormattedField)[];
}
/** `{value!r:format}`. */
export interface FormattedField extends Place {
  /** Left of `!` and `:`. */
  readonly value: Expression;
  /** `r`, `s` or `a`. */
  readonly conversion?: string;
  /** Right of the colon, with escapes resolved. */
  readonly format?: string;
}

/** Every node of a block. */
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
export interface ImportStatement extends SyntaxNode<"import"> {
  /** Form of the statement. */
  readonly form: "import" | "from";
  /** One for each name that is bound. */
  readonly imports: readonly { readonly module: string; readonly name: string }[];
}
/** `a = b = value`, `a += value` (with `op`) or `a: annotation = value`. */
export interface AssignStatement extends SyntaxNode<"assign"> {
  /** Form of the assignment. */
  readonly form: "plain" | "augmented" | "annotated";
  /** The operator before `=`, of an augmented assignment. */
  readonly op?: string;
  /** Left sides, in the order of the text; one unless the form is `plain`. */
  readonly targets: readonly Expression[];
  /** Right side; absent of a bare annotation. */
  readonly value?: Expression;
}
/** An expression on a line of its own. */
export interface ExpressionStatement extends SyntaxNode<"expression"> {
  /** Its value is dropped. */
  readonly value: Expression;
}
/** `return value`. */
export interface ReturnStatement extends SyntaxNode<"return"> {
  /** Absent of a bare `return`. */
  readonly value?: Expression;
}
/** `pass`, `break` or `continue`. */
export interface SimpleStatement extends SyntaxNode<"pass" | "break" | "continue"> {
}
/** `context as target` of a `with`. */
export interface WithItem {
  /** Expression that gives the context manager. */
  readonly context: Expression;
  /** Present where there is an `as`. */
  readonly target?: Expression;
}
/** `with items: body`. */
export interface WithStatement extends SyntaxNode<"with"> {
  /** In the order of the text. */
  readonly items: readonly WithItem[];
  /** One statement at least. */
  readonly body: readonly Statement[];
}
/** One parameter of a function or lambda. */
export interface FunctionParameter extends Place {
  /** How arguments reach it: by place or name, by name alone, as `*name`, as `**name`. */
  readonly form: "plain" | "keyword_only" | "star" | "double_star";
  /** Bound within the body. */
  readonly name: Name;
  /** Right of `=`. */
  readonly default?: Expression;
}
/** `def name(parameters): body`. */
export interface FunctionDefinition extends SyntaxNode<"def"> {
  /** Bound in the enclosing scope. */
  readonly name: Name;
  /** In the order of the text. */
  readonly parameters: readonly FunctionParameter[];
  /** One statement at least. */
  readonly body: readonly Statement[];
}
/** Loops, branches and classes. A `for` has its target and its iterable as `expressions`. */
export interface CompoundStatement extends SyntaxNode<"if" | "for" | "while" | "class"> {
  /** Test of `if` and `while`, target and iterable of `for`, none of `class`. */
  readonly expressions: readonly Expression[];
  /** The block, then that of `else`; an `elif` is an `if` within it. */
  readonly bodies: readonly (readonly Statement[])[];
}

/**
 * Parts of an expression, from left to right.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { parse } from "./parser.ts";
 * import { Source } from "./source.ts";
 * import { children } from "./tree.ts";
 * const parsed = parse(new Source("x + 1\n", "a.py"));
 * assert(parsed.ok);
 * const [statement] = parsed.statements;
 * assert(statement.kind === "expression");
 * assert.equal(children(statement.value).length, 2);
 * ```
 */
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
