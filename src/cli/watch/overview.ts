/** The runs and sweeps of a project as a part of the page; reads their files and no database. */
import { join } from "node:path";
import { isRecord } from "../../base/record.ts";
import { readSweep, sweepStatus } from "../../experiments/mod.ts";
import {
  findRuns,
  isBeingWritten,
  listSweeps,
  readSweepFile,
  type SweepFile,
} from "../../pipeline/store/mod.ts";
import { duration } from "../../report/format.ts";
import { setText } from "../sweep_page.ts";
import { type Html, markup, tableOf } from "../../report/html_report/html.ts";

/** Runs and sweeps that are shown, newest first. */
const mostRuns = 50;
const mostSweeps = 10;

/** The overview; the run of the page is marked. */
export function overviewOf(root: string, chosen: string): Html {
  const runs = findRuns(root).toReversed();
  const points = new Points(root);
  const rows = runs.slice(0, mostRuns).map((run) => rowOf(root, run, chosen, points));
  const more = runs.length > mostRuns
    ? markup`<p>and ${runs.length - mostRuns} older runs</p>`
    : undefined;
  const none = markup`<p>no run yet: <code>sluice run PIPELINE</code> makes the first</p>`;
  const table = tableOf(["state", "name", "began", "took", "run"], rows, new Set([0, 1, 2, 4]));
  return markup`<h2>Runs</h2>${runs.length > 0 ? table : none}${more}${sweepsOf(root)}`;
}

function rowOf(root: string, run: string, chosen: string, points: Points) {
  const word = wordOf(root, run);
  const isLive = word.status === "running" && isBeingWritten(root, run);
  const state = word.status === "running" && !isLive ? "interrupted" : String(word.status ?? "?");
  const began = Date.parse(String(word.started_at));
  const ended = word.ended_at === undefined ? Date.now() : Date.parse(String(word.ended_at));
  const took = state === "interrupted" ? "" : duration((ended - began) / 1000);
  const name = `${word.name ?? run}${points.textOf(word.marks)}${labelOf(word.marks)}`;
  return [
    markup`<span class="${state}">${state}</span>`,
    markup`<a href="#${run}">${run === chosen ? markup`<b>${name}</b>` : name}</a>`,
    String(word.started_at ?? "").slice(0, 19).replace("T", " "),
    took,
    markup`<code>${run}</code>`,
  ];
}

/** Label and tags, as `run --label` and `mark` gave them. */
function labelOf(marks: unknown): string {
  if (!isRecord(marks)) return "";
  const { label, tags } = marks;
  const words = [label, ...Array.isArray(tags) ? tags : []].filter((one) =>
    typeof one === "string"
  );
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

/** Points of sweeps by their runs' marks: each sweep is read once for a page. */
class Points {
  readonly #sweeps = new Map<string, SweepFile | undefined>();

  constructor(readonly root: string) {}

  /** Number of a point, and what it sets; empty for a run that is none. */
  textOf(marks: unknown): string {
    if (!isRecord(marks) || typeof marks.sweep !== "string") return "";
    const { sweep, point } = marks;
    if (!this.#sweeps.has(sweep)) this.#sweeps.set(sweep, readSweepFile(this.root, sweep));
    const values = this.#sweeps.get(sweep)?.points[Number(point)];
    return ` #${point}${values ? ` ${setText(values)}` : ""}`;
  }
}

function wordOf(root: string, run: string): Readonly<Record<string, unknown>> {
  try {
    const word = JSON.parse(Deno.readTextFileSync(join(root, "runs", run, "run.json")));
    return isRecord(word) ? word : {};
  } catch {
    return {}; // the file is about to be written
  }
}

function sweepsOf(root: string): Html | undefined {
  const names = listSweeps(root).toReversed().slice(0, mostSweeps);
  const rows = names.flatMap((name) => sweepRow(root, name));
  if (rows.length === 0) return undefined;
  const head = ["sweep", "points", "done", "running", "waiting", "failed", "lost"];
  return markup`<h2>Sweeps</h2>${tableOf(head, rows)}`;
}

function sweepRow(root: string, name: string) {
  try {
    const points = sweepStatus(root, readSweep(root, name));
    const by = Map.groupBy(points, ({ state }) => state);
    const states = ["done", "running", "waiting", "failed", "lost"] as const;
    return [[name, points.length, ...states.map((state) => by.get(state)?.length ?? 0)]];
  } catch {
    return []; // the file is about to be written
  }
}
