/** Sizes over ages: growth that slows down in even sets, and goes on in odd ones. */
import { exp } from "../../../../../src/numerics/math/elementary.ts";
import { midpoints } from "../quadrature.ts";
import type { Simulation } from "../simulation.ts";
import { streamOf, uniforms } from "./rows.ts";
import { freshAbout, seenAbout } from "./with_noise.ts";

const names = { across: "age", response: "size" };
const [oldest, sd] = [10, 0.5];
const slowing = (age: number) => 10 - 7 * exp(-0.35 * age);
const straight = (age: number) => 4 + 0.6 * age;
const bent = ["von_bertalanffy", "gompertz"];

/** Half of the sets are straight, so that a bend can be claimed where there is none. */
export const growth: Simulation = {
  spec: {
    space: "growth",
    formula: "size ~ age",
    curves: ["linear", "von_bertalanffy", "gompertz"],
    families: ["normal", "log_normal"],
  },
  words: "40 rows; von Bertalanffy's curve or a line, noise of 0.5; is it bent?",
  simulate(set, seed) {
    const random = streamOf("growth", seed, set);
    const [curve, mean] = set % 2 === 0
      ? ["von_bertalanffy", slowing] as const
      : ["linear", straight] as const;
    const claim = [{ question: "curve", answers: bent }];
    return {
      dataset: seenAbout(random, names, uniforms(random, 40, 0, oldest), mean, sd),
      fresh: freshAbout(names, midpoints(0, oldest, 32), mean, sd),
      truth: { curve, spread: "constant", family: "normal" },
      ...(set % 2 === 0 ? { strong: claim } : { absent: claim }),
    };
  },
};
