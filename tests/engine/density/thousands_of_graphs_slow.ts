/** The laws of random graphs on many thousands of them. */
import { gradientBits, moduleBits, simplifiedValues, trueGradients } from "./graph_laws.ts";

Deno.test("of thousands, a module computes every graph with the bits of the plain kernels", () =>
  moduleBits(6000, 11));
Deno.test("of thousands, gradients have the same bits on both back ends", () =>
  gradientBits(6000, 12));
Deno.test("of thousands, gradients of smooth graphs agree with finite differences", () =>
  trueGradients(6000, 15));
Deno.test("of thousands, simplified graphs have the values of what they were built from", () =>
  simplifiedValues(6000, 13));
