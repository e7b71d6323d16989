/** When latents under a response that is not normal are integrated out by importance draws. */
import type { Dataset } from "../../../base/dataset.ts";
import type { FieldPosterior } from "../../../numerics/math/mod.ts";
import { unconstrainedShape } from "../../language/distributions/transforms.ts";
import type { CheckedProgram, Parameter } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { fieldPosterior } from "./response_field.ts";
import { fieldLatents } from "./field_latents.ts";

/** Coordinates that may be left: a lattice has to cover them. */
const mostLeft = 3;
/** Multiplications of one evaluation at most, by coordinates left: about ten seconds in all. */
const mostWork = [2e8, 2e7, 5e6, 1e6];

/** A posterior beside its latents, and when to ask for it. */
interface FieldChoice {
  /** Whether it comes before other methods, and not after they have failed. */
  readonly first: boolean;
  /** Makes it. */
  posterior(): FieldPosterior;
}

/**
 * First of all for fields: importance draws and chains of so many coordinates take their time, and
 * miss what a far row does. Where a row sees one element of a
 * latent and no other, that is integrated along lines (`RowLatents`).
 *
 * @param elementOfRow the element of a latent that each row sees, if it sees one.
 * @returns `undefined` where nothing can be integrated out, too much is left, or it costs too much.
 */
export function fieldChoice(
  program: CheckedProgram,
  dataset: Dataset,
  elementOfRow: Int32Array | undefined,
): FieldChoice | undefined {
  const { family, shape } = program.likelihood.distribution;
  if (family === "normal" || family === "mv_normal") return undefined;
  const columns = new Map(dataset.columns.map(({ name, values }) => [name, values]));
  const found = fieldLatents(program, columns);
  if (!found) return undefined;
  const integrated = coordinatesOf(found.latents.map((k) => program.parameters[k]));
  const left = coordinatesOf(program.parameters) - integrated;
  if (left > mostLeft) return undefined;
  const rows = sizeOf(shape);
  if (integrated * integrated * (integrated + rows) > mostWork[left]) return undefined;
  return {
    first: !elementOfRow && found.latents.some((k) => isField(program.parameters[k], rows)),
    posterior: () => fieldPosterior(program, dataset, found),
  };
}

/** Walks and processes with a latent for every two rows at least, and vectors as long as the rows. */
function isField({ prior: { family }, shape }: Parameter, rows: number): boolean {
  const size = sizeOf(shape);
  if (family === "gaussian_random_walk" || family === "mv_normal") return 2 * size >= rows;
  return shape.length === 1 && size > 1 && size >= rows;
}

function coordinatesOf(parameters: readonly Parameter[]): number {
  return parameters.reduce(
    (sum, { transform, shape }) => sum + sizeOf(unconstrainedShape(transform, shape)),
    0,
  );
}
