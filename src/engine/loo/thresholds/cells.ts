/** Thresholds of cells that data were recorded in. */

/** By name, with the source of each. */
export const cellsThresholds = {
  /** Draws that are used first; then four times as many, then all. */
  cellDraws: {
    value: 16,
    source: "Measured: with one draw in eight, growth programs took a third longer.",
  },
  /** Error of the sum of all gains, nats, up to which those draws are enough. */
  cellError: {
    value: 0.002,
    source: "A round number: a twenty-fifth of the error that is asked for, 0.05.",
  },
};
