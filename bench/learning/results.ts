/** Results of the learning benchmark: one JSON file per task and variant, one entry per seed. */
import { sha256 } from "../../src/base/digest.ts";
import { fileURLToPath } from "node:url";

/** Result of one run with one seed. */
export interface SeedResult {
  readonly seed: number;
  readonly trajectories: number;
  readonly distinctEvaluations: number;
  /** Measures of the trained policy by name. */
  readonly measures: Readonly<Record<string, number>>;
  readonly course: readonly CoursePoint[];
  /** Of training, on a machine that may have been busy. */
  readonly seconds: number;
}

/** A measurement while training went on. */
export interface CoursePoint {
  readonly step: number;
  readonly trajectories: number;
  readonly distinctEvaluations: number;
  readonly tv: number;
  readonly klTargetPolicy: number;
}

/** All seeds of one variant. */
export interface VariantResult {
  readonly task: string;
  readonly variant: string;
  /** The pipeline and its overlays: the subject of the numbers. */
  readonly pipeline: string;
  /** SHA-256 of the pipeline's file, but for its checks. */
  readonly file: string;
  readonly sets: readonly string[];
  readonly seeds: readonly SeedResult[];
}

/** A line of a peer's program. */
export type PeerResult = Readonly<Record<string, number | string>>;

const folder = fileURLToPath(new URL("../results/learning/", import.meta.url));

function pathOf(task: string, variant: string): string {
  return `${folder}${task}.${variant}.json`;
}

/** Known result of a variant, or undefined. Results of other settings do not count. */
export function readResult(
  { task, variant, pipeline, sets }: Pick<VariantResult, "task" | "variant" | "pipeline" | "sets">,
): VariantResult | undefined {
  const found = readJson<VariantResult>(pathOf(task, variant));
  const isSame = found?.sets.join(" ") === sets.join(" ") && found.file === fileDigest(pipeline);
  return isSame ? found : undefined;
}

/** SHA-256 of a pipeline's file less its checks, which come last, by its path from the root. */
export function fileDigest(pipeline: string): string {
  const text = Deno.readTextFileSync(new URL(`../../${pipeline}`, import.meta.url));
  return sha256(text.split("[[checks]]", 1)[0]);
}

export function writeResult(result: VariantResult): void {
  Deno.mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(result, null, 2)}\n`;
  Deno.writeTextFileSync(pathOf(result.task, result.variant), text);
}

/** Lines that programs in bench/peers printed, kept in `peer_*.jsonl`. */
export function readPeers(): PeerResult[] {
  try {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return names.filter((name) => /^peer_.*\.jsonl$/.test(name)).sort().flatMap((name) =>
      Deno.readTextFileSync(folder + name).trim().split("\n").map((line) => JSON.parse(line))
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Keeps one more line of a peer, in `peer_NAME.jsonl`. */
export function appendPeer(name: string, line: PeerResult): void {
  Deno.mkdirSync(folder, { recursive: true });
  const options = { append: true };
  Deno.writeTextFileSync(`${folder}peer_${name}.jsonl`, `${JSON.stringify(line)}\n`, options);
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path)) as T;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
