/** File of a policy for many data sets: its parameters, and a card that describes their training. */
import { digestOf } from "../../base/digest.ts";
import { inputError } from "../../base/diagnostic.ts";
import { decodeTensors, encodeTensors, type TensorFile } from "../../base/safetensors.ts";
import type { Detector } from "../amortised/detector.ts";
import { flowModel } from "../amortised/flow_model.ts";
import type { GrowthSimulation } from "../amortised/growth/growth_simulation.ts";
import { normalised } from "../amortised/measures.ts";
import type { NetworkShape } from "../amortised/network_shape.ts";
import type { SpaceKind } from "../amortised/questions_kind.ts";
import type { Simulation } from "../amortised/simulation.ts";
import type { Prompt } from "../environments/environment.ts";
import { gather } from "../parameters/parameter_layout.ts";
import { policyOf } from "../policies/create_policy.ts";
import type { Policy } from "../policies/policy.ts";

/** Card of a file. */
export interface AmortisedCard {
  /** Space kind whose questions it answers. */
  readonly space: SpaceKind;
  /** Families of the programs that it was trained on. */
  readonly families: readonly string[];
  /** Most predictors of its vocabulary. */
  readonly most_predictors: number;
  /** Settings of the simulated data sets that it learned from. */
  readonly simulation: Simulation | GrowthSimulation;
  /** Amount of training: data sets, visits to them, and rewards. */
  readonly trained: {
    readonly data_sets: number;
    readonly visits: number;
    readonly rewards: number;
  };
  /** Measures on held-out data sets, by their names in `evaluation`. */
  readonly figures: Readonly<Record<string, number>>;
  /** Detector of data unlike those of training. */
  readonly detector: Detector;
  /** SHA-256 of the parameters. */
  readonly digest: string;
}

/** A policy that was read, and its card. */
export interface AmortisedFile {
  /** The policy itself. */
  readonly policy: Policy;
  /** Its training, its figures, its detector. */
  readonly card: AmortisedCard;
  /**
   * `[programs]`: log P of each program of the data set that a prompt is, by the bits of its predictors or
   * its place in the vocabulary; −Infinity of those that the data set has not.
   */
  answer(prompt: Prompt): Float64Array;
}

const format = "sluice_amortised_1";

/**
 * The bytes of a file: those of the policy, with a card among the metadata.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readAmortised, writeAmortised } from "./amortised_file.ts";
 * const path = "data/policies/regression.safetensors";
 * const { policy, card } = await readAmortised(await Deno.readFile(path), path);
 * const again = await readAmortised(await writeAmortised(policy, card), "a copy");
 * assert.equal(again.card.digest, card.digest);
 * ```
 */
export async function writeAmortised(
  policy: Policy,
  about: Omit<AmortisedCard, "digest">,
): Promise<Uint8Array> {
  const file = decodeTensors(await policy.save());
  const card: AmortisedCard = { ...about, digest: parametersDigest(file) };
  const metadata = { ...file.metadata, amortised: format, card: JSON.stringify(card) };
  return encodeTensors(file.tensors, metadata);
}

/**
 * Reads the bytes of {@linkcode writeAmortised}.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readAmortised } from "./amortised_file.ts";
 * await assert.rejects(readAmortised(Uint8Array.of(1, 2, 3), "a file"), /Cannot read a file/);
 * ```
 *
 * @param path For messages.
 * @throws InputError `amortised/file` for bytes of something else, of another version, or with
 * parameters that are not those of the card.
 */
export async function readAmortised(bytes: Uint8Array, path: string): Promise<AmortisedFile> {
  const file = decoded(bytes, path);
  const { amortised, card: text } = file.metadata;
  if (amortised !== format) throw ofOtherFormat(path, amortised);
  const card = JSON.parse(text) as AmortisedCard;
  const digest = parametersDigest(file);
  if (digest !== card.digest) {
    const message =
      `Cannot read ${path}: its parameters have the digest ${digest.slice(0, 12)}…, ` +
      `its card says ${card.digest.slice(0, 12)}…`;
    throw inputError(
      "amortised/file",
      message,
      undefined,
      "take the file from where it was written",
    );
  }
  const policy = await policyOf(file);
  const { config } = JSON.parse(file.metadata.policy) as { readonly config: NetworkShape };
  const model = flowModel(card.space, config);
  const values = Float64Array.from(gather(model.slots, file.tensors));
  const answer = (prompt: Prompt) => {
    const { flows, programs } = model.of({ values }, prompt);
    const logs = normalised(flows.values);
    const most = Array.from(programs).reduce((a, b) => Math.max(a, b), 0);
    const all = new Float64Array(most + 1).fill(-Infinity);
    logs.forEach((one, m) => all[programs[m]] = one);
    return all;
  };
  return { policy, card, answer };
}

function decoded(bytes: Uint8Array, path: string): TensorFile {
  try {
    return decodeTensors(bytes);
  } catch {
    const message = `Cannot read ${path}: it is no safetensors file`;
    throw inputError(
      "amortised/file",
      message,
      undefined,
      "name the file that evaluate_amortised wrote",
    );
  }
}

function ofOtherFormat(path: string, found: string | undefined): Error {
  const message = found === undefined
    ? `Cannot read ${path}: it is a policy without a card`
    : `Cannot read ${path}: its format is ${found}, wanted ${format}`;
  const hint = "name the output file of a stage of kind evaluate_amortised";
  return inputError("amortised/file", message, undefined, hint);
}

function parametersDigest({ tensors }: TensorFile): string {
  return digestOf(tensors.map(({ name, shape, values }) => [name, shape, [...values]]));
}
