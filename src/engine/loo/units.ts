/** Units that are left out at once: rows, or all rows of a group as one observation. */
import type { PointwiseDensity, RowLatents } from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/** A posterior seen in units: its observations are the units, each of one or more rows. */
interface UnitPosterior extends PointwiseDensity {
  /** Rows of every unit. */
  readonly rowsOf: readonly (readonly number[])[];
}

/**
 * The posterior with all rows of a unit joined to one observation, whose log likelihood is the sum
 * over its rows. `unitOfRow` gives the unit 0 … count − 1 of every row; without it each row is a
 * unit of its own.
 *
 * @throws internal, if a unit has no row.
 */
export function unitPosterior(
  density: PointwiseDensity,
  unitOfRow?: ArrayLike<number>,
): UnitPosterior {
  if (!unitOfRow) {
    const rowsOf = Array.from({ length: density.observations }, (_, i) => [i]);
    return wrapped(density, rowsOf, density.latents);
  }
  const rowsOf: number[][] = [];
  for (let i = 0; i < unitOfRow.length; i++) (rowsOf[unitOfRow[i]] ??= []).push(i);
  for (let u = 0; u < rowsOf.length; u++) {
    if (!rowsOf[u]) throw new Error(`internal: unit ${u} has no row`);
  }
  return wrapped(density, rowsOf, latentsOfUnits(density, rowsOf));
}

function wrapped(
  density: PointwiseDensity,
  rowsOf: readonly (readonly number[])[],
  latents: RowLatents | undefined,
): UnitPosterior {
  const rows = new Float64Array(density.observations);
  const single = rowsOf.every((unit, u) => unit.length === 1 && unit[0] === u);
  const sumRows: PointwiseDensity["logLikelihood"] = (position, offset, out, outOffset) => {
    density.logLikelihood(position, offset, rows, 0);
    writeSums(rows, rowsOf, out, outOffset);
  };
  const sumCells: PointwiseDensity["logCells"] = density.logCells &&
    ((position, offset, out, outOffset) => {
      density.logCells!(position, offset, rows, 0);
      writeSums(rows, rowsOf, out, outOffset);
    });
  return {
    dimension: density.dimension,
    startingRegion: density.startingRegion,
    ...(sumCells && { logCells: sumCells }),
    ...(density.cellsError && { cellsError: () => density.cellsError!() }),
    logDensity: (position, gradient, offset) => density.logDensity(position, gradient, offset),
    observations: rowsOf.length,
    factorises: density.factorises,
    rowsOf,
    ...(single && density.withLikelihood && {
      withLikelihood: (position, gradient, offset, out, outOffset) =>
        density.withLikelihood!(position, gradient, offset, out, outOffset),
    }),
    logLikelihood: single
      ? (position, offset, out, outOffset) =>
        density.logLikelihood(position, offset, out, outOffset)
      : sumRows,
    without: (units) => density.without(units.flatMap((u) => rowsOf[u])),
    mixture(components) {
      const parts = components.parts.map(({ rows: units, logWeight }) => ({
        rows: units.flatMap((u) => rowsOf[u]),
        logWeight,
      }));
      return density.mixture({ ...components, parts });
    },
    quantities: density.quantities,
    quantityShapes: density.quantityShapes,
    constrain: (position, offset, out, outOffset) =>
      density.constrain(position, offset, out, outOffset),
    ...(latents ? { latents } : {}),
  };
}

function writeSums(
  rows: Float64Array,
  rowsOf: readonly (readonly number[])[],
  out: Float64Array,
  outOffset: number,
): void {
  for (let u = 0; u < rowsOf.length; u++) {
    let sum = 0;
    for (const i of rowsOf[u]) sum += rows[i];
    out[outOffset + u] = sum;
  }
}

/** The latents with the parts of units, or with units where each of them sees one element. */
function latentsOfUnits(
  density: PointwiseDensity,
  rowsOf: readonly (readonly number[])[],
): RowLatents | undefined {
  const { latents } = density;
  if (!latents) return undefined;
  const parts = rowsOf.flatMap((rows, unit) => partsOf(rows, latents.elementOfRow, unit));
  const elementOfRow = Int32Array.from(parts, ({ element }) => element);
  const prior = new Float64Array(latents.elements);
  const ofRows = new Float64Array(density.observations);
  const rowsOfParts = parts.map(({ rows }) => rows);
  return {
    offset: latents.offset,
    elements: latents.elements,
    elementOfRow,
    ...(parts.length > rowsOf.length &&
      { observationOfPart: Int32Array.from(parts, ({ unit }) => unit) }),
    ...(density.logCells && {
      logCells(position, offset, out, outOffset) {
        density.logCells!(position, offset, ofRows, 0);
        writeSums(ofRows, rowsOfParts, out, outOffset);
      },
    }),
    logPrior: (position, offset, out, outOffset) =>
      latents.logPrior(position, offset, out, outOffset),
    logJoint(position, offset, out, outOffset) {
      latents.logPrior(position, offset, prior, 0);
      density.logLikelihood(position, offset, ofRows, 0);
      for (let u = 0; u < rowsOfParts.length; u++) {
        let sum = prior[elementOfRow[u]];
        for (const i of rowsOfParts[u]) sum += ofRows[i];
        out[outOffset + u] = sum;
      }
    },
  };
}

/** Rows of a unit that see one element. */
interface Part {
  readonly unit: number;
  readonly element: number;
  readonly rows: readonly number[];
}

/** The rows of a unit by the elements that they see. */
function partsOf(rows: readonly number[], elementOfRow: Int32Array, unit: number): Part[] {
  const elements = [...new Set(rows.map((i) => elementOfRow[i]))];
  return elements.map((element) => ({
    unit,
    element,
    rows: rows.filter((i) => elementOfRow[i] === element),
  }));
}

/** Whether every observation has elements of its own, so that they can be integrated out. */
export function canIntegrate({ latents }: PointwiseDensity): boolean {
  return latents !== undefined &&
    new Set(latents.elementOfRow).size === latents.elementOfRow.length;
}

/**
 * Whether observations share elements of a latent to integrate out of their likelihoods: an element
 * that more than a hundred depend on does not follow any one of them.
 */
export function sharesLatents(units: PointwiseDensity): boolean {
  const { latents } = units;
  return latents !== undefined && !canIntegrate(units) &&
    latents.elementOfRow.length <= thresholds.maxPerElement * latents.elements;
}

/**
 * Whether latents are integrated out before anything else is tried: those that observations have for themselves, and
 * those of which one sees several. To leave such an observation out moves several elements at once, and weights of
 * draws of all of them miss a tail that neither their spread nor their Pareto k shows.
 */
export function integratesFirst(units: PointwiseDensity): boolean {
  return canIntegrate(units) || crossesLatents(units);
}

/** Whether observations see several elements of a latent, and share some of them. */
export function crossesLatents(units: PointwiseDensity): boolean {
  return units.latents?.observationOfPart !== undefined && sharesLatents(units);
}
