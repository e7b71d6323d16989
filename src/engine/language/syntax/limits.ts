/** Counted limits on a program's text and size; everything beyond them is an error, not a wait. */

/** Chosen far above what people and language models write, and far below what could hurt. */
export const limits = {
  /** UTF-8 bytes of the text. */
  bytes: 64 * 1024,
  lines: 2000,
  /** Brackets and blocks inside one another. */
  nesting: 64,
  /** Operators and calls on the longest path through one expression. */
  chain: 1000,
  /** Nodes of the syntax tree. */
  treeNodes: 20_000,
  /** Characters of one number. */
  numberLength: 64,
  /** Characters of one string. */
  stringLength: 4096,
  randomVariables: 1000,
  /** Elements of all random variables together. */
  parameterElements: 20_000,
  /** Combinations of the values of discrete variables that rows share. */
  discreteCombinations: 1024,
  /** Combinations of discrete values times the data. */
  discreteTerms: 100_000,
  /** Expressions and statements that are evaluated, loops and calls unrolled. */
  steps: 100_000,
  /** Items of lists that are made, copied or looked through, all together. */
  listItems: 2_000_000,
  /** Lists inside of lists, where they become an array; and axes of an array, as in NumPy. */
  axes: 64,
  /** Nodes of the graph. */
  graphNodes: 50_000,
  /** Elements of one array; rows of the data may be more. */
  arrayElements: 4_000_000,
  /** Elements of all arrays together. */
  totalElements: 64_000_000,
  /** Multiplications in products, factors and inverses of matrices, all together. */
  matrixWork: 100_000_000,
  /** Calls of the program's functions inside one another. */
  calls: 32,
  /** Numbers that stand in the program's text. */
  literals: 5000,
} as const;
