/** One planted policy, certified as if its space could not be enumerated, beside what enumeration says. */
import { RandomStream } from "../../../src/base/random.ts";
import { certify, explore, type PolicyCertificate } from "../../../src/gfn/certificates/mod.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { ownLogRewards } from "../../../src/gfn/evaluation/own_target.ts";
import { countedTarget, type Planted, plantedPolicy } from "./planted_policy.ts";
import type { Plant, Space } from "./plants.ts";

/** Share of training's evaluations that a certificate may cost. */
export const SHARE = 0.2;

/** A certificate beside the truth that was planted. */
export interface Trial {
  readonly certificate: PolicyCertificate;
  readonly truth: Planted;
  /** Distinct evaluations as a share of training's. */
  readonly cost: number;
}

const environments = new Map<Space, Environment>();

/** The environment of a space, made once. */
export function environmentOf(space: Space): Environment {
  const made = environments.get(space) ?? space.make();
  environments.set(space, made);
  return made;
}

/** How a plant is tried. */
export interface Trying {
  readonly seed: number;
  /** Walks of the policy; 4,000 if left out. */
  readonly samples?: number;
  /** False: the certificate is given no list of objects, as where they are too many to enumerate. */
  readonly listed?: boolean;
}

/** Certifies one planted policy. */
export async function tryPlant(
  plant: Plant,
  { seed, samples = 4000, listed = true }: Trying,
): Promise<Trial> {
  const environment = environmentOf(plant.space);
  const truth = plantedPolicy(environment, (object) => {
    return object.logReward! + plant.change(object);
  });
  const options = {
    environment,
    ...(listed && { objects: countedTarget(environment).objects }),
    ask: (objects: readonly TerminalObject[]) =>
      Promise.resolve(ownLogRewards(environment, objects)),
    budget: Math.floor(SHARE * plant.space.training),
    samples,
    random: (name: string) => new RandomStream("certificate", seed, name),
  };
  const certificate = await certify(truth.policy, await explore(options), options);
  return { certificate, truth, cost: certificate.evaluations / plant.space.training };
}
