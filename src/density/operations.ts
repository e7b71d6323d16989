/** The operations of the graph on plain numbers: constant folding, and the meaning of each kernel. */
import { exp, expm1, log, log1p, pow, sigmoid, tanh } from "../math/elementary.ts";
import type { BinaryOp, UnaryOp } from "../lang/graph.ts";

/** Value of each unary operation; outside its domain NaN or an infinity, never an exception. */
export const applyUnary: { readonly [op in UnaryOp]: (x: number) => number } = {
  neg: (x) => -x,
  exp,
  log,
  log1p,
  expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sigmoid,
  tanh,
};

/** Value of each binary operation. */
export const applyBinary: { readonly [op in BinaryOp]: (a: number, b: number) => number } = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow,
};
