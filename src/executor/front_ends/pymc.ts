/** The executor `pymc`: real PyMC builds the model in a stronger sandbox, without the response. */
import { frontEndDigest } from "../pymc/digest.ts";
import type { BuiltInExecutor } from "./front_end.ts";

export const pymc: BuiltInExecutor = {
  name: "pymc",
  reads: "processes",
  digest: frontEndDigest,
  async open(limits) {
    const { PymcFrontEnd } = await import("../pymc/front_end.ts");
    return new PymcFrontEnd(limits);
  },
};
