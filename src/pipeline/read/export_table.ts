/** The table `[export]` of a pipeline: trackers that its runs are written for while they go on. */
import { isAbsolute, normalize } from "node:path";
import { z } from "../../base/zod.ts";

const isInside = (path: string) => !isAbsolute(path) && !normalize(path).startsWith("..");

const folder = z.string().min(1).refine(isInside, "wanted a folder within the project");

/** Folders by the form that is written there; a plain run of the same bits has none. */
export const exportParams = z.strictObject({
  tensorboard: folder.optional().meta({ description: "A folder of TensorBoard's event files." }),
  mlflow: folder.optional().meta({ description: "A file store of MLflow." }),
  wandb: folder.optional().meta({ description: "Offline runs for wandb sync." }),
  dvc: folder.optional().meta({ description: "Plots and metrics of DVC." }),
});

/** The table as it is read. */
export type ExportTable = z.output<typeof exportParams>;
