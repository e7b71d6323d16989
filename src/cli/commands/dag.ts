/** `sluice dag`: the stages of a pipeline and what flows between them, as text or a drawing. */
import type { Command } from "@commander-js/extra-typings";
import type { ResolvedPipeline, ResolvedStage, Wires } from "../../pipeline/read/mod.ts";
import { collect, readPipeline } from "../pipeline_arguments.ts";
import type { Session } from "../session.ts";

const example = `
Each line is a stage, then what it needs. --mermaid prints a flowchart that
GitHub, GitLab and most editors draw.

Example:
  sluice dag pipelines/dugongs.toml --mermaid`;

export function addCommand(root: Command, session: Session): void {
  root.command("dag")
    .description("print the graph of a pipeline's stages")
    .argument("<pipeline>", "the pipeline file")
    .argument("[overlays...]", "@overlay.toml files that replace values, from left to right")
    .option("--set <path=value>", "set one value, after all overlays", collect)
    .option("--mermaid", "as a Mermaid flowchart")
    .option("--json", "as JSON: stages, and edges between them")
    .addHelpText("after", example)
    .action(async (path, overlays, { set = [], mermaid, json }) => {
      const pipeline = await readPipeline({ path, overlays, sets: set });
      const terminal = session.terminal();
      const graph = graphOf(pipeline);
      if (json) terminal.data(JSON.stringify(graph, null, 2));
      else if (mermaid) mermaidOf(graph).forEach((line) => terminal.out(line));
      else textOf(graph).forEach((line) => terminal.out(line));
    });
}

interface Node {
  readonly stage: string;
  readonly kind: string;
  /** The loop that it runs in. */
  readonly loop?: string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  /** Port of the stage that it leaves. */
  readonly port: string;
}

interface Graph {
  readonly stages: readonly Node[];
  readonly edges: readonly Edge[];
}

function graphOf({ stages }: ResolvedPipeline): Graph {
  const all = stages.flatMap((one) => [
    { stage: one, loop: undefined },
    ...(one.loop?.stages ?? []).map((stage) => ({ stage, loop: one.name })),
  ]);
  return {
    stages: all.map(({ stage: { name, kind }, loop }) => ({
      stage: name,
      kind,
      ...(loop && { loop }),
    })),
    edges: distinct(all.flatMap(({ stage }) => edgesOf(stage))),
  };
}

/** Edges into a stage; `state` of a loop comes from the loop itself. */
function edgesOf(stage: ResolvedStage): Edge[] {
  const before: Wires[] = [stage.inputs, ...Object.values(stage.wired), stage.loop?.state ?? {}];
  const into = (wires: Wires) =>
    Object.values(wires).map((wire) => ({ from: wire.stage, to: stage.name, port: wire.port }));
  return before.flatMap(into);
}

function distinct(edges: readonly Edge[]): Edge[] {
  return [...new Map(edges.map((one) => [JSON.stringify(one), one])).values()];
}

function textOf({ stages, edges }: Graph): string[] {
  return stages.map(({ stage, kind, loop }) => {
    const needs = edges.filter(({ to }) => to === stage).map(({ from, port }) => `${from}.${port}`);
    const arrow = needs.length === 0 ? "" : `  ← ${needs.join(", ")}`;
    return `${loop ? "  " : ""}${stage} (${kind})${arrow}`;
  });
}

function mermaidOf({ stages, edges }: Graph): string[] {
  const ids = new Map(stages.map(({ stage }, i) => [stage, `s${i}`]));
  const box = ({ stage, kind }: Node) => `${ids.get(stage)}["${stage}<br/>${kind}"]`;
  const loops = stages.filter(({ stage }) => stages.some(({ loop }) => loop === stage));
  const outside = stages.filter((one) => !one.loop && !loops.includes(one));
  const groups = loops.flatMap(({ stage }) => [
    `  subgraph ${ids.get(stage)} ["${stage}: loop"]`,
    ...stages.filter(({ loop }) => loop === stage).map((one) => `    ${box(one)}`),
    "  end",
  ]);
  const isInside = (of: string, loop: string) =>
    stages.some((one) => one.stage === of && one.loop === loop);
  const arrows = edges.filter(({ from, to }) => !isInside(to, from))
    .map(({ from, to, port }) => `  ${ids.get(from)} -- ${port} --> ${ids.get(to)}`);
  return ["flowchart TD", ...outside.map((one) => `  ${box(one)}`), ...groups, ...arrows];
}
