/** The floor plan: wings from the bottom up, the rooms of the large ones, and who may use which library. */

/** Folders on one floor: neighbours do not know one another. */
export type Floor = readonly string[];

/** A circle of files by their types that may stand, and why. */
export interface CircleException {
  readonly files: readonly string[];
  readonly reason: string;
}

/** Where every file has its place, and what may point where. */
export interface Plan {
  readonly wings: readonly Floor[];
  readonly rooms: Readonly<Record<string, readonly Floor[]>>;
  /** Around the house: may import anything, and nothing in the house imports it. */
  readonly grounds: Floor;
  readonly libraries: Readonly<Record<string, readonly string[]>>;
  /** This list only shrinks: an entry that no longer stands is a fault. */
  readonly typeCircles: readonly CircleException[];
  /** At most so many rooms and floors in one drawing: what can be taken in at a look. */
  readonly mostRooms: number;
  readonly mostFloors: number;
}

/** The house: an arrow may only point to a lower floor. */
const wingFloors: readonly Floor[] = [
  ["src/wasm"],
  ["src/base"],
  ["src/models"],
  ["src/answers", "src/data", "src/engine", "src/gfn", "src/pipeline", "src/sandbox"],
  ["src/executor", "src/oracle"],
  ["src/report", "stages"],
  ["src/cli", "mod.ts"],
];

/** The rooms of the wings that have several. */
const roomFloors: Readonly<Record<string, readonly Floor[]>> = {
  engine: [
    ["src/engine/ir", "src/engine/syntax", "src/engine/mcmc"],
    ["src/engine/distributions", "src/engine/interpreter"],
    ["src/engine/numpy", "src/engine/cells", "src/engine/loo", "src/engine/predict"],
    ["src/engine/pymc", "src/engine/density"],
    ["src/engine/graph_import", "src/engine/gaussian", "src/engine/print"],
    ["src/engine/score"],
    ["src/engine/inference_data"],
  ],
  gfn: [
    ["src/gfn/settings", "src/gfn/parameters", "src/gfn/kernels"],
    ["src/gfn/environments"],
    ["src/gfn/grammar", "src/gfn/trajectories", "src/gfn/tensor"],
    ["src/gfn/policies", "src/gfn/objectives", "src/gfn/replay"],
    ["src/gfn/evaluation", "src/gfn/spaces"],
    ["src/gfn/certificates"],
    ["src/gfn/train"],
    ["src/gfn/baselines"],
  ],
  models: [
    ["src/models/files"],
    ["src/models/text", "src/models/decoder"],
    ["src/models/training"],
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
const libraries: Readonly<Record<string, readonly string[]>> = {
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

const grounds: Floor = ["tests", "tools", "bench", "site", "docs"];

const typeCircles: readonly CircleException[] = [];

/** The plan of this house. */
export const plan: Plan = {
  wings: wingFloors,
  rooms: roomFloors,
  grounds,
  libraries,
  typeCircles,
  mostRooms: 16,
  mostFloors: 9,
};
