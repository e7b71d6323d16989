/** Functions of libraries outside of the subset, with what to write instead. */

const random = "randomness belongs to random variables";

/** Functions of `pm.math`, `pt` and `np` outside of the subset, with what to write instead. */
export const functionReplacements: Readonly<Record<string, string>> = {
  scan: "write the steps as arrays, or with pm.math.cumsum",
  shared: "leave it out: arrays of data need no wrapping",
  wrap_py: "write the function with pm.math",
  as_op: "write the function with pm.math",
  kronecker: "write the product with [:, None] and [None, :]",
  einsum: "write the product with * and pm.math.sum(..., axis=)",
  tensordot: "write the product with * and pm.math.sum(..., axis=)",
  matrix_inverse: "solve with the Cholesky factor, or give pm.MvNormal tau=",
  random,
  rand: random,
  randn: random,
  vectorize: "call the function on the whole array",
  polyfit: "write the polynomial with coefficients of its own",
  interp: "write the interpolation with np.where",
  gammainc: "incomplete gamma functions are in the distributions only",
  betainc: "incomplete beta functions are in the distributions only",
};
