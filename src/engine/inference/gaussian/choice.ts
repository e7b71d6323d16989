/** When a posterior is taken without its linear latents. */
import type { Dataset } from "../../../base/dataset.ts";
import { isJoint } from "../density/assemble.ts";
import { unconstrainedShape } from "../../language/distributions/transforms.ts";
import type { CheckedProgram, Parameter } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { linearLatents, locatedOf } from "./linear_latents.ts";
import { closedFormPosterior, type MeasuredPosterior } from "./marginal.ts";

/** Coordinates above which importance draws of a whole posterior are too many. */
const manyCoordinates = 12;
/** Coordinates that may be left: importance draws have to do with them. */
const mostLeft = 12;
/** Coordinates left up to which a small hierarchy costs less than importance draws: measured. */
const fewLeft = 2;
/** Multiplications of one evaluation up to which a hierarchy is small: about a tenth of a millisecond. */
const littleWork = 1e5;
/** Multiplications of one evaluation at most, by coordinates left: about ten seconds in all. */
const mostWork = [2e9, 2e8, 5e7, 2e7];
/** Numbers that the slopes of a node may have at most: 16 MB. */
const mostSlopes = 2e6;

/** A posterior without its linear latents, and when to ask for it. */
interface ClosedFormChoice {
  /** Whether it comes before other methods, and not after them. */
  readonly first: boolean;
  /** Whether few coordinates are left, so that it costs no more than draws that need help. */
  readonly isSmall: boolean;
  /** Makes it. */
  posterior(): MeasuredPosterior | undefined;
}

/**
 * The closed form comes first for posteriors of many coordinates and for fields: walks,
 * multivariate normal latents, and such with an element for every two rows; for rows that are one
 * normal vector; and for regressions with one scale and small hierarchies with one or two, for which
 * importance draws cost more. Where a row depends on one element of a latent and no other, methods
 * that integrate that out come first (`RowLatents`), but for small hierarchies. Where units are left
 * out that see several effects of a hierarchy, the closed form comes first too.
 *
 * @param elementOfRow the element of a latent that each row sees, if it sees one.
 * @param withheld how many rows are taken from the others, if some are.
 * @returns `undefined` where nothing can be integrated out, or too much is left, or it costs too much.
 */
export function closedFormChoice(
  program: CheckedProgram,
  dataset: Dataset,
  elementOfRow: Int32Array | undefined,
  unitOfRow?: ArrayLike<number>,
  withheld?: number,
): ClosedFormChoice | undefined {
  const latents = linearLatents(program);
  const joint = isJoint(program);
  if (!latents || (latents.length === 0 && !joint)) return undefined;
  const all = coordinatesOf(program.parameters);
  const integrated = coordinatesOf(latents.map((k) => program.parameters[k]));
  const left = all - integrated;
  if (left > mostLeft) return undefined;
  const rows = sizeOf(program.likelihood.distribution.shape);
  const noise = integrated + (joint ? rows : 0);
  const work = rows * noise * Math.min(rows, noise);
  const most = mostWork[Math.min(left, 3)];
  const mayWalk = !joint && program.nodes.some(({ kind }) => kind === "scan");
  const isField = latents.some((k) => isFieldLike(program.parameters[k]));
  if (rows * noise > mostSlopes || (work > most && !mayWalk && !isField)) return undefined;
  const isMany = all > manyCoordinates || 2 * integrated >= rows;
  const isSmall = left <= fewLeft && work <= littleWork;
  const crosses = unitOfRow && !(elementOfRow && seesOne(unitOfRow, elementOfRow));
  return {
    first: joint || isField || ((isMany || left <= 1) && !elementOfRow) ||
      ((isSmall || crosses === true) && isHierarchy(program, latents)),
    isSmall,
    posterior() {
      const made = closedFormPosterior(program, dataset, unitOfRow);
      if (!made || (work > most && made.work > most)) return undefined;
      // Fields have no other method.
      const isChosen = withheld === undefined || joint || isField || mayWalk;
      return isChosen || made.withheldWork(withheld) <= most ? made : undefined;
    },
  };
}

/** Whether all rows of each unit see one element. */
function seesOne(unitOfRow: ArrayLike<number>, elementOfRow: Int32Array): boolean {
  const first = new Map<number, number>();
  return elementOfRow.every((element, i) => {
    if (!first.has(unitOfRow[i])) first.set(unitOfRow[i], element);
    return first.get(unitOfRow[i]) === element;
  });
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

/** Whether a vector among the latents has a scale that is another parameter, or is multiplied by one. */
function isHierarchy({ nodes, parameters }: CheckedProgram, latents: readonly number[]): boolean {
  const vectors = latents.filter((k) => sizeOf(parameters[k].shape) > 1);
  const reach = (isOne: (parameter: number) => boolean): boolean[] => {
    const found: boolean[] = [];
    for (const [id, node] of nodes.entries()) {
      found[id] = node.kind === "parameter"
        ? isOne(node.parameter)
        : node.args.some((arg) => found[arg]);
    }
    return found;
  };
  const remaining = reach((k) => !latents.includes(k));
  const ofVectors = reach((k) => vectors.includes(k));
  return vectors.some((k) => locatedOf(parameters[k].prior)!.scale.some((id) => remaining[id])) ||
    nodes.some((node) =>
      (node.kind === "matmul" ||
        (node.kind === "map" && (node.op === "mul" || node.op === "div"))) &&
      node.args.some((arg, i) => ofVectors[arg] && remaining[node.args[1 - i]])
    );
}
