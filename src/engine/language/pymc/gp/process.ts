/** Gaussian processes of a program: the parts of `pm.gp.Latent`, `Marginal` and `HSGP`. */
import type { CovarianceFunction } from "./covariance.ts";
import type { MeanFunction } from "./mean.ts";

/** Arguments of `pm.gp.HSGP` beside its functions. */
export interface BasisSettings {
  /** Basis functions along each column. */
  readonly counts: readonly number[];
  /** Half widths of the box that the basis lives in; one for each column. */
  readonly boundary?: readonly number[];
  /** Half widths in units of the data's; one for all columns, or one for each. */
  readonly factor?: readonly number[];
  readonly dropFirst: boolean;
  readonly centred: boolean;
}

/** A Gaussian process before it is evaluated; an object of the programs that are checked. */
export class GaussianProcess {
  constructor(
    readonly kind: "Latent" | "Marginal" | "HSGP",
    readonly mean: MeanFunction,
    readonly covariance: CovarianceFunction,
    /** Of `HSGP` alone. */
    readonly basis?: BasisSettings,
  ) {}
}
