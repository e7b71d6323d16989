/** When a posterior is taken without its linear latents. */
import type { Dataset } from "../../base/dataset.ts";
import type { ClosedFormPosterior } from "../../base/math/log_density.ts";
import { isJoint } from "../density/assemble.ts";
import { unconstrainedShape } from "../distributions/transforms.ts";
import type { CheckedProgram, Parameter } from "../ir/program.ts";
import { sizeOf } from "../ir/shape.ts";
import { linearLatents } from "./linear_latents.ts";
import { closedFormPosterior } from "./marginal.ts";

/** Coordinates above which importance draws of a whole posterior are not worth their number. */
const manyCoordinates = 12;
/** Coordinates that may be left: importance draws have to do with them. */
const mostLeft = 12;

/** A posterior without its linear latents, and when to ask for it. */
export interface ClosedFormChoice {
  /** Whether it comes before other ways, and not after them. */
  readonly first: boolean;
  /** Makes it; `undefined` if there is too much of it. */
  posterior(): ClosedFormPosterior | undefined;
}

/**
 * The closed form comes first for posteriors of many coordinates and for fields: walks, multivariate
 * normal latents, and such with an element for every two rows. Where a row sees one element of a
 * latent and no other, ways that integrate that out come first (`RowLatents`). Rows that are one normal
 * vector have nothing else but chains.
 *
 * @param isOfRows whether each row sees one element of a latent.
 * @returns `undefined` where nothing can be integrated out, or too much is left.
 */
export function closedFormChoice(
  program: CheckedProgram,
  dataset: Dataset,
  isOfRows: boolean,
  unitOfRow?: ArrayLike<number>,
): ClosedFormChoice | undefined {
  const latents = linearLatents(program);
  const joint = isJoint(program);
  if (!latents || (latents.length === 0 && !joint)) return undefined;
  const all = coordinatesOf(program.parameters);
  const integrated = coordinatesOf(latents.map((k) => program.parameters[k]));
  if (all - integrated > mostLeft) return undefined;
  const rows = sizeOf(program.likelihood.distribution.shape);
  const isField = latents.some((k) => isFieldLike(program.parameters[k]));
  const isMany = all > manyCoordinates || 2 * integrated >= rows;
  return {
    first: joint || isField || (isMany && !isOfRows),
    posterior: () => closedFormPosterior(program, dataset, unitOfRow),
  };
}

function coordinatesOf(parameters: readonly Parameter[]): number {
  return parameters.reduce(
    (sum, { transform, shape }) => sum + sizeOf(unconstrainedShape(transform, shape)),
    0,
  );
}

function isFieldLike({ prior: { family } }: Parameter): boolean {
  return family === "gaussian_random_walk" || family === "mv_normal";
}
