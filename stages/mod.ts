/** The built-in stage kinds by name. */
import type { StageSignature } from "../src/pipeline/contract/mod.ts";
import { kinds as environmentKinds } from "./environment/built_in.ts";
import amortise from "./amortise/mod.ts";
import conjugatePrograms from "./environment/conjugate_programs.ts";
import benchmark from "./benchmark/mod.ts";
import dataset from "./dataset.ts";
import environment from "./environment/mod.ts";
import evaluateAmortised from "./evaluate_amortised/mod.ts";
import evaluateKl from "./evaluate_kl/mod.ts";
import experiment from "./experiment/mod.ts";
import grammar from "./grammar/mod.ts";
import integrity from "./integrity/mod.ts";
import judge from "./judge/mod.ts";
import modelSpace from "./model_space/mod.ts";
import learn from "./learn/mod.ts";
import oracle from "./oracle/mod.ts";
import policy from "./policy/mod.ts";
import propose from "./propose/mod.ts";
import play from "./play/mod.ts";
import prompts from "./prompts/mod.ts";
import programFiles from "./program_files/mod.ts";
import rank from "./rank/mod.ts";
import remoteSample from "./remote_sample/mod.ts";
import sample from "./sample/mod.ts";
import sandboxExecute from "./sandbox_execute.ts";
import sft from "./sft/mod.ts";
import simulate from "./simulate/mod.ts";
import service from "./service.ts";
import surrogate from "./surrogate/mod.ts";
import surrogateReward from "./surrogate_reward.ts";
import strings from "./environment/strings.ts";
import tokens from "./environment/tokens.ts";
import target from "./target/mod.ts";

/** The file of each kind, which the process of a stage imports, and the kind. */
const kinds: readonly (readonly [string, StageSignature])[] = [
  ["./dataset.ts", dataset],
  ["./grammar/stage.ts", grammar],
  ["./model_space/stage.ts", modelSpace],
  ...Object.values(environmentKinds).map((kind) => ["./environment/built_in.ts", kind]),
  ["./environment/strings.ts", strings],
  ["./environment/conjugate_programs.ts", conjugatePrograms],
  ["./environment/tokens.ts", tokens],
  ["./environment/mod.ts", environment],
  ["./service.ts", service],
  ["./oracle/stage.ts", oracle],
  ["./prompts/mod.ts", prompts],
  ["./target/stage.ts", target],
  ["./policy/mod.ts", policy],
  ["./sft/mod.ts", sft],
  ["./surrogate/stage.ts", surrogate],
  ["./surrogate_reward.ts", surrogateReward],
  ["./sample/mod.ts", sample],
  ["./remote_sample/mod.ts", remoteSample],
  ["./propose/stage.ts", propose],
  ["./sandbox_execute.ts", sandboxExecute],
  ["./judge/mod.ts", judge],
  ["./learn/mod.ts", learn],
  ["./program_files/stage.ts", programFiles],
  ["./rank/stage.ts", rank],
  ["./evaluate_kl/stage.ts", evaluateKl],
  ["./simulate/stage.ts", simulate],
  ["./amortise/mod.ts", amortise],
  ["./evaluate_amortised/stage.ts", evaluateAmortised],
  ["./benchmark/stage.ts", benchmark],
  ["./integrity/stage.ts", integrity],
  ["./experiment/stage.ts", experiment],
  ["./play/stage.ts", play],
] as unknown as (readonly [string, StageSignature])[];

/** Every built-in kind but `loop`, which the runner itself defines. */
export const builtInKinds: ReadonlyMap<string, StageSignature> = new Map(
  kinds.map(([, kind]) => [kind.kind, kind]),
);

/** The file that declares a built-in kind, as a URL. */
export function builtInKindFile(name: string): string {
  const own = import.meta.url;
  const [file] = kinds.find(([, { kind }]) => kind === name)!;
  return new URL(file.replace(/\.ts$/, own.slice(own.lastIndexOf("."))), own).href;
}
