/** Modules that a program may import, and what they offer beside functions. */
import type { ModuleName } from "./values.ts";

/** Importable modules by their full name. */
export const modules: Readonly<Record<string, ModuleName>> = {
  pymc: "pm",
  pymc3: "pm",
  "pymc.math": "pm.math",
  "pymc.distributions.transforms": "pm.transforms",
  numpy: "np",
  "numpy.linalg": "np.linalg",
  "numpy.random": "np.random",
  math: "math",
  pytensor: "other",
  "pytensor.tensor": "pt",
  "pytensor.tensor.special": "pt.special",
  aesara: "other",
  "aesara.tensor": "pt",
  "theano.tensor": "pt",
  "scipy.special": "special",
  "scipy.stats": "stats",
  pandas: "other",
  arviz: "other",
  xarray: "other",
  matplotlib: "other",
  "matplotlib.pyplot": "other",
  seaborn: "other",
  typing: "other",
  warnings: "other",
  logging: "other",
  __future__: "other",
};

/** Modules inside of modules. */
export const submodules: Readonly<Record<string, ModuleName>> = {
  "pm.math": "pm.math",
  "pm.distributions": "pm",
  "pm.transforms": "pm.transforms",
  "np.linalg": "np.linalg",
  "np.random": "np.random",
  "pt.special": "pt.special",
  "pt.math": "pm.math",
};

/** Constants of modules. */
export const constants: Readonly<Partial<Record<ModuleName, Readonly<Record<string, number>>>>> = {
  np: { pi: Math.PI, e: Math.E, inf: Infinity, Inf: Infinity, euler_gamma: 0.5772156649015329 },
  math: { pi: Math.PI, e: Math.E, inf: Infinity, tau: 2 * Math.PI },
};
