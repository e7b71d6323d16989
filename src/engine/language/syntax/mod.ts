/** Syntax of program texts: tokens, trees, places. */
export { parse } from "./parser.ts";
export { type Place, Source, SyntaxFailure } from "./source.ts";
export { type Token, tokenize } from "./tokens.ts";
export { children, type Expression, type Statement } from "./tree.ts";
export type { ParseResult } from "./parser.ts";
export type { TokenKind, Tokens } from "./tokens.ts";
export type {
  AssignStatement,
  Attribute,
  Binary,
  BooleanOperation,
  Call,
  Comparison,
  CompoundStatement,
  Comprehension,
  Conditional,
  ConstantLiteral,
  Dictionary,
  ExpressionStatement,
  FormattedString,
  FunctionDefinition,
  ImportStatement,
  Lambda,
  Name,
  NumberLiteral,
  ReturnStatement,
  Sequence,
  SimpleStatement,
  Slice,
  Starred,
  StringLiteral,
  Subscript,
  SyntaxNode,
  Unary,
  WithStatement,
} from "./tree.ts";
export type {
  Argument,
  ComprehensionClause,
  FormattedField,
  FunctionParameter,
  WithItem,
} from "./tree.ts";
