/** The floor plan: wings from the bottom up, the rooms of the large ones, and who may use which library. */

/** Folders on one floor: neighbours do not know one another. */
export type Floor = readonly string[];

/** The house: an arrow may only point to a lower floor. */
export const wingFloors: readonly Floor[] = [
  ["src/wasm"],
  ["src/base"],
  ["src/models"],
  ["src/answers", "src/data", "src/engine", "src/gfn", "src/pipeline", "src/sandbox"],
  ["src/executor", "src/oracle"],
  ["src/report", "stages"],
  ["src/cli", "mod.ts"],
];

/** The rooms of the wings that have several. */
export const roomFloors: Readonly<Record<string, readonly Floor[]>> = {
  engine: [
    ["src/engine/ir", "src/engine/syntax", "src/engine/mcmc"],
    ["src/engine/distributions", "src/engine/interpreter"],
    ["src/engine/numpy", "src/engine/density", "src/engine/loo", "src/engine/predict"],
    ["src/engine/pymc"],
    ["src/engine/graph_import"],
    ["src/engine/score"],
    ["src/engine/inference_data"],
  ],
  gfn: [
    ["src/gfn/settings", "src/gfn/parameters", "src/gfn/kernels"],
    ["src/gfn/environments"],
    ["src/gfn/grammar", "src/gfn/trajectories", "src/gfn/tensor"],
    ["src/gfn/policies", "src/gfn/objectives", "src/gfn/replay"],
    ["src/gfn/evaluation", "src/gfn/train", "src/gfn/spaces"],
    ["src/gfn/baselines"],
  ],
  models: [
    ["src/models/files"],
    ["src/models/text", "src/models/decoder"],
    ["src/models/sft", "src/models/store"],
  ],
  pipeline: [
    ["src/pipeline/toml", "src/pipeline/store"],
    ["src/pipeline/contract"],
    ["src/pipeline/read"],
    ["src/pipeline/process"],
    ["src/pipeline/plan", "src/pipeline/host"],
    ["src/pipeline/run"],
  ],
};

/** Which folders may import which outside library. */
export const libraries: Readonly<Record<string, readonly string[]>> = {
  "smol-toml": ["src/pipeline/toml"],
  "toml-eslint-parser": ["src/pipeline/toml"],
  zod: ["src/base"],
  "csv-parse": ["src/data"],
  hyparquet: ["src/data"],
  "hyparquet-compressors": ["src/data"],
  "@duckdb/node-api": ["src/pipeline/store"],
  "@tensorflow/tfjs-core": ["src/gfn"],
  "@tensorflow/tfjs-backend-cpu": ["src/gfn"],
  "@tensorflow/tfjs-backend-wasm": ["src/gfn"],
  "@tensorflow/tfjs-backend-webgpu": ["src/gfn"],
  "@huggingface/tokenizers": ["src/models/text"],
  "@huggingface/jinja": ["src/models/text"],
  esbuild: ["src/executor"],
  commander: ["src/cli"],
  "@commander-js/extra-typings": ["src/cli"],
  picocolors: ["src/report"],
  "cli-table3": ["src/report"],
  vega: ["src/report"],
  "vega-lite": ["src/report"],
  "@resvg/resvg-wasm": ["src/report"],
};
