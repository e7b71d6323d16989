/** Laws of all graphs: simplified ones have the same values, both back ends the same bits. */
import { gradientBits, moduleBits, simplifiedValues, trueGradients } from "./graph_laws.ts";

Deno.test("a module computes every graph with the bits of the plain kernels", () =>
  moduleBits(300, 1));
Deno.test("gradients have the same bits on both back ends", () => gradientBits(300, 2));
Deno.test("gradients of smooth graphs agree with finite differences", () => trueGradients(200, 5));
Deno.test("simplified graphs have the values of what they were built from", () =>
  simplifiedValues(300, 3));
