/** Modules that a program may import, and what they offer beside functions. */
import type { ModuleName } from "./values.ts";

/** Importable modules by their full name. */
export const modules: Readonly<Record<string, ModuleName>> = {
  pymc: "pm",
  pymc3: "pm",
  "pymc.math": "pm.math",
  "pymc.distributions.transforms": "pm.transforms",
  "pymc.gp": "pm.gp",
  "pymc.gp.cov": "pm.gp.cov",
  "pymc.gp.mean": "pm.gp.mean",
  "pymc.gp.util": "other",
  numpy: "np",
  "numpy.linalg": "np.linalg",
  "numpy.random": "np.random",
  math: "math",
  pytensor: "pytensor",
  "pytensor.tensor": "pt",
  "pytensor.tensor.linalg": "pt.linalg",
  "pytensor.tensor.slinalg": "pt.linalg",
  "pytensor.tensor.special": "pt.special",
  aesara: "pytensor",
  "aesara.tensor": "pt",
  "theano.tensor": "pt",
  "scipy.special": "special",
  "scipy.stats": "stats",
  pandas: "pd",
  patsy: "patsy",
  sklearn: "sklearn",
  "sklearn.preprocessing": "sklearn",
  "sklearn.model_selection": "sklearn",
  "sklearn.pipeline": "sklearn",
  "sklearn.compose": "sklearn",
  "sklearn.metrics": "sklearn",
  "sklearn.linear_model": "sklearn",
  "sklearn.impute": "sklearn",
  arviz: "other",
  xarray: "other",
  matplotlib: "other",
  "matplotlib.pyplot": "other",
  seaborn: "other",
  typing: "other",
  warnings: "other",
  logging: "other",
  re: "other",
  json: "other",
  datetime: "other",
  tqdm: "other",
  "tqdm.auto": "other",
  IPython: "other",
  "IPython.display": "other",
  graphviz: "other",
  "plotly.express": "other",
  "plotly.graph_objects": "other",
  "matplotlib.ticker": "other",
  "matplotlib.dates": "other",
  "matplotlib.cm": "other",
  pathlib: "other",
  __future__: "other",
};

/** Modules inside of modules. */
export const submodules: Readonly<Record<string, ModuleName>> = {
  "pm.math": "pm.math",
  "pm.distributions": "pm",
  "pm.transforms": "pm.transforms",
  "pm.gp": "pm.gp",
  "pm.gp.cov": "pm.gp.cov",
  "pm.gp.mean": "pm.gp.mean",
  "pm.gp.util": "other",
  "np.linalg": "np.linalg",
  "np.random": "np.random",
  "pt.linalg": "pt.linalg",
  "pt.slinalg": "pt.linalg",
  "pt.special": "pt.special",
  "pt.math": "pm.math",
  "pt.basic": "pt",
  "pt.extra_ops": "pt",
  "pt.nlinalg": "pt.linalg",
  "pt.subtensor": "pt",
  "sklearn.preprocessing": "sklearn",
  "sklearn.model_selection": "sklearn",
  "pytensor.tensor": "pt",
  "pytensor.config": "other",
  "pytensor.printing": "other",
};

/** Modules that are not read, with what to write instead of what they offer. */
const moduleReplacements: Readonly<Record<string, string>> = {
  "pymc.ode": "write the solution as a function of the columns, or a solver's steps in a for loop",
  pymc_bart: "write the mean as a function of the columns",
  pymc_extras: "write the model with pm. alone",
  pymc_experimental: "write the model with pm. alone",
  formulaic: "write the columns of the design with NumPy, or add them to the data",
  sklearn: "add what it computes to the data as columns",
  statsmodels: "add what it computes to the data as columns",
  scipy: "of SciPy, only scipy.special is read",
  "pytensor.compile": "write the function with pm.math",
  "pytensor.graph": "write the function with pm.math",
  "pytensor.scan": "write the steps as arrays, or with pm.math.cumsum",
  blackjax: "leave it out: inference belongs to the host",
  numpyro: "leave it out: inference belongs to the host",
  nutpie: "leave it out: inference belongs to the host",
  jax: "write the function with pm.math",
  bambi: "write the model that it would build",
  os: "leave it out",
  sys: "leave it out",
  subprocess: "leave it out",
};

/** Replacement for a module, or for the module that it belongs to. */
export function insteadOfModule(path: string): string | undefined {
  for (let name = path; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    if (Object.hasOwn(moduleReplacements, name)) return moduleReplacements[name];
  }
}

/** Constants of modules. */
export const constants: Readonly<Partial<Record<ModuleName, Readonly<Record<string, number>>>>> = {
  np: { pi: Math.PI, e: Math.E, inf: Infinity, Inf: Infinity, euler_gamma: 0.5772156649015329 },
  math: { pi: Math.PI, e: Math.E, inf: Infinity, tau: 2 * Math.PI },
};
