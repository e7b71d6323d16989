/** An experiment that a command names: a file, or a module whose world is a process of its own. */
import { resolve } from "node:path";
import { readRegularText } from "../base/regular_file.ts";
import type { DescribedWorld } from "../executor/play/answer_of_world.ts";
import type { Experiment } from "../executor/play/experiment.ts";
import { OwnTheories } from "../executor/play/own_theories.ts";
import { readExperiment, readOwnExperiment } from "../executor/play/read_experiment.ts";
import type { Theories } from "../executor/play/theories.ts";
import { askedModule } from "../pipeline/process/mod.ts";
import { projectRootOf } from "../pipeline/project/mod.ts";

/** Bytes of a file that is no experiment. */
const mostBytes = 1 << 20;

/** An experiment, its theories, and how its world ends. */
interface OpenedExperiment {
  readonly experiment: Experiment;
  readonly theories: Theories;
  readonly close: () => Promise<void>;
}

/** @throws InputError if it cannot be read, or a module lies outside of its project. */
export async function openExperiment(file: string, workers: Theories): Promise<OpenedExperiment> {
  if (!/\.[mc]?[jt]s$/.test(file)) {
    const experiment = readExperiment(readRegularText(file, mostBytes), file);
    return { experiment, theories: workers, close: () => Promise.resolve() };
  }
  const path = resolve(file);
  const world = askedModule(path, projectRootOf(path));
  const close = () => world.close();
  try {
    const described = await world.ask({ op: "describe" }) as DescribedWorld;
    const experiment = readOwnExperiment(described, path);
    return { experiment, theories: new OwnTheories(experiment, world, workers), close };
  } catch (error) {
    await close();
    throw error;
  }
}
