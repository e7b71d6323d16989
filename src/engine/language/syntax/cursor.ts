/** Where the parser stands among the tokens, and what it may still spend. */
import { limits } from "./limits.ts";
import { type Place, type Source, SyntaxFailure, unsupported } from "./source.ts";
import { neverClosed, type Token, type TokenKind, type Tokens } from "./tokens.ts";
import type { Expression } from "./tree.ts";

/** Python's reserved words; never names. */
export const keywords: ReadonlySet<string> = new Set(
  ("False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield").split(" "),
);

/** Rules of expressions for the rules of their parts, which hold expressions again. */
export interface Grammar {
  /** One expression without a bare comma. */
  readonly expression: (cursor: Cursor) => Expression;
  /** `a or b`, without a conditional. */
  readonly disjunction: (cursor: Cursor) => Expression;
  /** Arithmetic, without a comparison. */
  readonly operand: (cursor: Cursor) => Expression;
}

/**
 * Thrown where a text that goes on has been read to its end: so far it can be a program. It is no
 * `Error`, since each of those looks for the place where it was built.
 */
export class OpenEnd {}

/** A position in the token list with Python's error precedence. */
export class Cursor {
  index = 0;
  private depth = 0;
  private nodes = 0;

  constructor(
    readonly source: Source,
    private readonly input: Tokens,
    readonly grammar: Grammar,
  ) {}

  /** The token at hand; arriving at a failure throws it. */
  get token(): Token {
    const token = this.input.tokens[this.index];
    if (token.kind === "failure" && this.input.failure) throw this.input.failure;
    if (token.kind === "open") throw new OpenEnd();
    return token;
  }

  get previous(): Token {
    return this.input.tokens[this.index - 1];
  }

  /** The token after the one at hand. */
  get following(): Token | undefined {
    return this.input.tokens[this.index + 1];
  }

  /** True if the token at hand is this operator or keyword. */
  is(text: string): boolean {
    const token = this.token;
    return token.text === text && (token.kind === "op" || token.kind === "name");
  }

  isKind(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  isName(): boolean {
    const token = this.token;
    return token.kind === "name" && !keywords.has(token.text);
  }

  take(): Token {
    const token = this.token;
    this.index++;
    return token;
  }

  /** Takes the operator or keyword if it is at hand. */
  accept(text: string): boolean {
    const found = this.is(text);
    if (found) this.index++;
    return found;
  }

  expect(text: string): Token {
    if (!this.is(text)) this.invalid();
    return this.take();
  }

  /** Fails as CPython does where no rule matches: at the token at hand. */
  invalid(): never {
    const token = this.token;
    if (token.kind === "indent" || token.kind === "dedent") this.unexpectedIndent(token);
    this.fail("invalid", "invalid syntax", token);
  }

  private unexpectedIndent(token: Token): never {
    const what = token.kind === "indent" ? "unexpected indent" : "unexpected unindent";
    const place = { start: Math.max(token.start, token.end - 1), end: token.end };
    this.fail("indent", what, place);
  }

  fail(code: string, message: string, place: Place, hint?: string): never {
    throw new SyntaxFailure(`syntax/${code}`, `Cannot parse: ${message}`, place, hint);
  }

  unsupported(what: string, place: Place, hint: string): never {
    throw unsupported(what, place, hint);
  }

  /** Runs a part of the grammar one level deeper. */
  nested<T>(part: () => T): T {
    this.descend();
    const result = part();
    this.depth--;
    return result;
  }

  /**
   * Tries a part of the grammar; undefined, and nothing taken, if it does not match. Arriving at
   * the tokenizer's failure is final, as in CPython.
   */
  attempt<T>(part: () => T): T | undefined {
    const { index, depth, nodes } = this;
    try {
      return part();
    } catch (error) {
      if (!(error instanceof SyntaxFailure) || error === this.input.failure) throw error;
      this.index = index;
      this.depth = depth;
      this.nodes = nodes;
      return undefined;
    }
  }

  private descend(): void {
    this.depth++;
    if (this.depth <= limits.nesting) return;
    this.fail("limit", `more than ${limits.nesting} levels of nesting`, this.token);
  }

  /** Counts a node of the tree. */
  count<T extends Place>(node: T): T {
    this.nodes++;
    if (this.nodes <= limits.treeNodes) return node;
    this.fail("limit", `more than ${limits.treeNodes} parts in one program`, node);
  }

  /** A tokenizer's failure further on outranks a parser's, as in CPython. */
  outranking(failure: SyntaxFailure): SyntaxFailure {
    const { input, source } = this;
    if (failure.message.endsWith("unexpected indent")) return failure;
    if (input.failure && input.eager) return input.failure;
    const opening = input.unclosed;
    const line = source.lineOf(this.input.tokens[this.index].start);
    return opening && line > source.lineOf(opening.start) ? neverClosed(opening) : failure;
  }
}
