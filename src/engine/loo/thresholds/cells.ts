/** Thresholds of cells that data were recorded in. */

/** By name, with the source of each. */
export const cellsThresholds = {
  /** One draw in so many is looked at first. */
  cellStride: {
    value: 8,
    source: "A round number: an eighth of the cost, for cells that are small beside predictions.",
  },
  /** Error of the sum of all gains, nats, up to which those draws are enough. */
  cellError: {
    value: 0.002,
    source: "A round number: a twenty-fifth of the error that is asked for, 0.05.",
  },
};
