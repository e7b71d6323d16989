/** Numbers, strings and comments of Python that read back unchanged. */
import { type Shape, sizeOf } from "../ir/shape.ts";
import { CannotPrint } from "./cannot_print.ts";

/**
 * A number of Python with the same bits.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { numberText } from "./literals.ts";
 * assert.equal(numberText(0.1), "0.1");
 * assert.equal(numberText(-0), "-0.0");
 * assert.equal(numberText(-Infinity), "-np.inf");
 * ```
 */
export function numberText(value: number): string {
  if (Number.isNaN(value)) throw new CannotPrint("a number that is none");
  if (!Number.isFinite(value)) return value > 0 ? "np.inf" : "-np.inf";
  return Object.is(value, -0) ? "-0.0" : `${value}`;
}

/** Characters that could end a line, move a cursor, hide, or turn the direction of text. */
const awkward =
  /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ud800-\udfff]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A string of Python on one line. */
export function stringText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(awkward, escaped)}"`;
}

/**
 * Lines of comments with a text of unknown origin: characters that could end a line, or hide from a
 * reader, are escaped.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { commentText } from "./literals.ts";
 * assert.equal(commentText("a\n\rb\u202e"), "# a\n# \\u000db\\u202e");
 * ```
 */
export function commentText(text: string): string {
  return text.split("\n").map((line) => `# ${line.replace(awkward, escaped)}`.trimEnd()).join("\n");
}

/** A tuple of whole numbers: `(3,)`. */
export function tupleText(shape: Shape): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/** An array of NumPy; `values` are row-major. */
export function arrayText(values: ArrayLike<number>, shape: Shape): string {
  const first = values[0];
  const size = sizeOf(shape);
  if (size > 2 && Array.from(values).every((value) => Object.is(value, first))) {
    const extent = shape.length === 1 ? `${shape[0]}` : tupleText(shape);
    if (Object.is(first, 0)) return `np.zeros(${extent})`;
    return first === 1 ? `np.ones(${extent})` : `np.full(${extent}, ${numberText(first)})`;
  }
  return `np.array(${nested(values, shape)})`;
}

/** A list of lists, row-major. */
export function nested(values: ArrayLike<number>, shape: Shape, at = 0): string {
  if (shape.length === 0) return numberText(values[at]);
  const [extent, ...inner] = shape;
  const step = sizeOf(inner);
  const items = Array.from({ length: extent }, (_, i) => nested(values, inner, at + i * step));
  return `[${items.join(", ")}]`;
}
