/** Programs that look at the response, observe something else, or observe it twice. */
import type { Attack, Family } from "./attack.ts";
import { curve, model } from "./model_text.ts";

const seen = (line: string) =>
  model([...curve, line, 'pm.Normal("length", m, s, observed=data["length"])']);
const observing = (what: string) =>
  model([...curve, `pm.Normal("length", mu, s, observed=${what})`]);

const attacks: readonly Attack[] = [
  { name: "its own mean", text: seen('m = data["length"]') },
  { name: "mean of the response", text: seen('m = np.mean(data["length"])') },
  {
    name: "response of the row before",
    text: seen(
      'y = data["length"]; m = np.concatenate([y[:1], y[:-1]])'.split("; ").join("\n    "),
    ),
  },
  { name: "sorted response", text: observing('np.sort(data["length"])') },
  {
    name: "standardised response",
    text: observing('(data["length"] - data["length"].mean()) / 2'),
  },
  { name: "zeros", text: observing("np.zeros(27)") },
  { name: "ten rows", text: observing('data["length"][:10]') },
  { name: "rounded response", text: observing('np.round(data["length"], 1)') },
  {
    name: "observed twice",
    text: model([
      ...curve,
      'pm.Normal("one", mu, s, observed=data["length"])',
      'pm.Normal("two", mu, s, observed=data["length"])',
    ]),
  },
  {
    name: "half of the likelihood",
    text: model([...curve, 'pm.Normal("length", mu, s, observed=data["length"], total_size=5)']),
  },
  {
    name: "a second model",
    text: model([...curve, 'pm.Normal("length", mu, s, observed=data["length"])']) +
      'with pm.Model() as other:\n    pm.Normal("z", 0, 1)\n',
  },
  {
    name: "a changed column",
    text: model([
      'data["length"] = 0 * data["length"]',
      ...curve,
      'pm.Normal("length", mu, s, observed=data["length"])',
    ]),
  },
];

/** Looking before the score. */
export const peeking: Family = {
  name: "peeking",
  idea: "the response is looked at, changed, left out or counted twice",
  attacks: () => attacks,
};
