/** An experiment of one's own: a light that goes on above a dose, and off again once it was dazzled. */
import { defineExperiment } from "sluice";

export default defineExperiment({
  name: "threshold",
  version: 1,
  response: { name: "light", type: "binary" },
  inputs: { dose: { type: "real", low: 0, high: 10, round: 0.1 } },
  story: "A lamp gets a dose from 0 to 10. You choose the dose, and see whether the lamp is on.",
  plain_story: "A number from 0 to 10 leads to 0 or 1. You choose the number, and see the other.",
  words: "At a dose of {dose} the light is {light}.",
  begin: (random) => {
    const on = 2 + 3 * random.uniform();
    return { on, off: on + 1 + 3 * random.uniform() };
  },
  respond: ({ on, off }, { dose }, random) => {
    const isOn = Number(dose) > on && Number(dose) < off;
    return random.uniform() < (isOn ? 0.95 : 0.05) ? 1 : 0;
  },
  logDensity: ({ on, off }, { dose }, light) => {
    const isOn = Number(dose) > on && Number(dose) < off;
    return isOn === (light === 1) ? -0.05129329438755058 : -2.995732273553991; // log .95, log .05
  },
});
