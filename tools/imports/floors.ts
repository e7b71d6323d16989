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
  /** The rooms of a folder, by its path. */
  readonly rooms: Readonly<Record<string, readonly Floor[]>>;
  /** Libraries that others enter through the doors that deno.json exports, and through no other file. */
  readonly doored: readonly string[];
  /** Around the house: may import anything, and nothing in the house imports it. */
  readonly grounds: Floor;
  readonly libraries: Readonly<Record<string, readonly string[]>>;
  /** This list only shrinks: an entry that no longer stands is a fault. */
  readonly typeCircles: readonly CircleException[];
  /** At most so many rooms and floors in one drawing, so that a reader takes it in at a look. */
  readonly mostRooms: number;
  readonly mostFloors: number;
}

/** The house: an arrow may only point to a lower floor. */
const wingFloors: readonly Floor[] = [
  ["src/base"],
  ["src/numerics"],
  ["src/models"],
  ["src/answers", "src/data", "src/engine", "src/gfn", "src/pipeline", "src/sandbox"],
  ["src/executor", "src/oracle"],
  ["src/report", "stages"],
  ["src/experiments"],
  ["src/cli", "mod.ts"],
];

/** The rooms of the wings that have several. */
const roomFloors: Readonly<Record<string, readonly Floor[]>> = {
  "src/numerics": [
    ["src/numerics/wasm"],
    ["src/numerics/math", "src/numerics/blas"],
    ["src/numerics/cuda"],
  ],
  "src/engine": [
    ["src/engine/language"],
    ["src/engine/inference"],
    ["src/engine/loo"],
    ["src/engine/score"],
  ],
  "src/engine/language": [
    ["src/engine/language/ir", "src/engine/language/syntax"],
    ["src/engine/language/distributions", "src/engine/language/interpreter"],
    ["src/engine/language/numpy"],
    ["src/engine/language/pymc"],
    ["src/engine/language/graph_import", "src/engine/language/print"],
  ],
  "src/engine/inference": [
    ["src/engine/inference/mcmc", "src/engine/inference/cells"],
    ["src/engine/inference/density", "src/engine/inference/predict"],
    ["src/engine/inference/gaussian"],
  ],
  "src/gfn": [
    ["src/gfn/settings", "src/gfn/parameters", "src/gfn/kernels"],
    ["src/gfn/environments"],
    ["src/gfn/grammar", "src/gfn/trajectories", "src/gfn/tensor", "src/gfn/amortised"],
    ["src/gfn/policies", "src/gfn/objectives", "src/gfn/replay"],
    ["src/gfn/evaluation", "src/gfn/spaces"],
    ["src/gfn/certificates"],
    ["src/gfn/train"],
    ["src/gfn/baselines"],
  ],
  "src/models": [
    ["src/models/files"],
    ["src/models/text", "src/models/decoder"],
    ["src/models/training"],
    ["src/models/sft", "src/models/store"],
  ],
  "src/pipeline": [
    ["src/pipeline/basics", "src/pipeline/toml"],
    ["src/pipeline/store", "src/pipeline/project"],
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
  "@duckdb/node-api": ["src/pipeline/store", "src/pipeline/basics"],
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

const doored = [
  "src/engine",
  "src/gfn",
  "src/models",
  "src/numerics",
  "src/pipeline",
  "src/sandbox",
];

const grounds: Floor = ["tests", "tools", "bench", "site", "docs", "examples"];

const typeCircles: readonly CircleException[] = [];

/** The plan of this house. */
export const plan: Plan = {
  wings: wingFloors,
  rooms: roomFloors,
  doored,
  grounds,
  libraries,
  typeCircles,
  mostRooms: 16,
  mostFloors: 9,
};
