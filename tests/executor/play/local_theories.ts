/** Theories that are answered in the process of a test, and the experiments of the repository. */
import { answerAboutTheories } from "../../../src/executor/theories/answer.ts";
import type { TheoryAsk } from "../../../src/executor/theories/messages.ts";
import type { Experiment } from "../../../src/executor/play/experiment.ts";
import type { Theories } from "../../../src/executor/play/theories.ts";
import { readExperiment } from "../../../src/executor/play/read_experiment.ts";

/** Answers as a worker does. */
export const localTheories: Theories = {
  ask(text: string, ask: TheoryAsk) {
    const steps = answerAboutTheories(text, ask);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return Promise.resolve(JSON.parse(JSON.stringify(value)));
    }
  },
  judge: () => Promise.resolve({ ok: false, reason: "nobody fits programs here" }),
};

const folder = new URL("../../../experiments/", import.meta.url);

/** The experiments that ship, by name. */
export function shippedExperiments(): ReadonlyMap<string, Experiment> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".toml")
  );
  return new Map(
    files.sort().map((file) => {
      const experiment = readExperiment(Deno.readTextFileSync(new URL(file, folder)), file);
      return [experiment.name, experiment];
    }),
  );
}
