/** Declarations of users' stage kinds, read in a process without a single permission. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Span } from "../../base/span.ts";
import type { InputError } from "../../base/diagnostic.ts";
import { inputError } from "../../base/diagnostic.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { JsonSeals } from "../../base/sealed_json.ts";
import { readJsonFile } from "./json_file.ts";
import { writeEntry } from "./entry.ts";
import type { FromStage } from "./messages.ts";
import { ModuleGraphs } from "./module_graph.ts";
import { deniedAccess, noGrants } from "./permissions.ts";
import type { StageKindDeclaration } from "../read/declaration.ts";
import type { ProcessEnd } from "./process.ts";
import { denoInfo, StageProcess } from "./process.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";
import { createLayout, findSluiceHome, projectLayout, projectRootOf } from "../project/project.ts";

/** Where declarations are read and kept. */
export interface DescribeContext {
  readonly layout: ProjectLayout;
  readonly home: SluiceHome;
  readonly graphs: ModuleGraphs;
}

/** Keeps declarations in a project. */
export function describeContext(projectRoot: string): DescribeContext {
  const [layout, home] = [projectLayout(projectRoot), findSluiceHome()];
  createLayout(layout);
  return { layout, home, graphs: new ModuleGraphs(layout, home, denoInfo) };
}

/**
 * The declaration of the stage kind that a file exports, as `default` or as `stage`. The file runs
 * in a process of its own, without permissions; the answer is kept until its code changes, in the
 * project of the file if no other is given.
 *
 * @throws InputError if the file cannot be loaded, exports no stage kind, or touches something.
 */
export async function describeKind(
  file: string,
  { layout, home, graphs }: DescribeContext = describeContext(projectRootOf(file)),
  span?: Span,
): Promise<StageKindDeclaration> {
  if (!existsSync(file)) {
    throw inputError("kind/not-found", `Cannot read stage kind: no file ${file}`, span);
  }
  const entry = writeEntry(layout, home, {
    purpose: "describe",
    kinds: { [file]: file },
    plugins: [],
  });
  const { digest } = await graphs.of(entry);
  graphs.save();
  const known = join(layout.state, "declarations", `${digest}.json`);
  const seals = new JsonSeals(layout.root);
  const kept = seals.open(digest, readJsonFile(known))?.declaration;
  if (kept) return kept as StageKindDeclaration;
  const declaration = await readDeclaration(file, entry, { layout, home }, span);
  writeAtomic(known, JSON.stringify(seals.seal(digest, { declaration })));
  return declaration;
}

async function readDeclaration(
  file: string,
  entry: string,
  { layout, home }: Pick<DescribeContext, "layout" | "home">,
  span?: Span,
): Promise<StageKindDeclaration> {
  const process = new StageProcess({ entry, grants: noGrants, home, cwd: layout.root });
  const timer = setTimeout(() => process.kill(), 30_000);
  const received = await process.receive();
  const end = await process.end();
  clearTimeout(timer);
  const message = received?.message;
  if (message?.type === "described") return message.declaration as StageKindDeclaration;
  throw notLoadable(file, message, end, span);
}

function notLoadable(
  file: string,
  message: FromStage | undefined,
  { lastWords, signal }: ProcessEnd,
  span?: Span,
): InputError {
  const said = message?.type === "failed" ? message.fault.message : firstError(lastWords);
  const denied = deniedAccess(said);
  const reason = signal ? `it did not finish loading within 30 seconds` : said;
  const hint = denied
    ? "a stage kind is loaded without permissions: move what needs them into its run function"
    : "export default defineStage({ kind, version, description, params, inputs, outputs, run })";
  return inputError("kind/not-loadable", `Cannot load stage kind ${file}: ${reason}`, span, hint);
}

/** The first line of Deno's report with the error, and its place. */
function firstError(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const at = lines.find((line) => /^at file:/.test(line));
  const first = lines.find((line) => line.startsWith("error:")) ?? lines[0] ?? "it printed nothing";
  const message = first.replace(/^error:\s*(Uncaught\s*)?(\(in promise\)\s*)?/, "");
  return at && !message.includes("file:") ? `${message} ${at}` : message;
}
