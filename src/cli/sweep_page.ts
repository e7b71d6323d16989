/** How a sweep stands, for people: how many points in each state, and those that need a look. */
import type { PointStatus } from "../experiments/mod.ts";
import { count, duration } from "../report/format.ts";
import type { Terminal } from "../report/terminal.ts";
import { commandLine } from "../base/command_name.ts";
import { inlineToml } from "./inline_toml.ts";

const order = ["done", "running", "waiting", "lost", "failed"] as const;

/** Points of one state that are listed. */
const most = 20;

/** Prints the counts, then each point that is not done. */
export function printStatus(
  sweep: string,
  points: readonly PointStatus[],
  terminal: Terminal,
): void {
  const by = Map.groupBy(points, ({ state }) => state);
  const counts = order.filter((state) => by.has(state))
    .map((state) => `${by.get(state)!.length} ${state}`);
  terminal.out(`sweep ${sweep}: ${count(points.length, "point")}, ${counts.join(", ")}`);
  for (const state of ["running", "lost", "failed"] as const) {
    const some = by.get(state) ?? [];
    for (const one of some.slice(0, most)) terminal.out(lineOf(one));
    if (some.length > most) terminal.out(`  … and ${some.length - most} more ${state}`);
  }
  if (by.has("failed")) terminal.note(`next: ${commandLine("sweep", "work", sweep, "--retry")}`);
  else if (by.has("waiting") || by.has("lost")) {
    terminal.note(`next: ${commandLine("sweep", "work", sweep)}`);
  } else if (!by.has("running")) {
    terminal.note(`next: ${commandLine("sweep", "report", sweep)}`);
  }
}

function lineOf({ point, set, state, run, host, seconds, fault, log }: PointStatus): string {
  const took = seconds === undefined ? "" : ` after ${duration(seconds)}`;
  const where = state === "running" && host ? ` on ${host}` : "";
  const head = `  #${point}  ${state}${where}${took}  ${setText(set)}  ${run ?? ""}`.trimEnd();
  return [head, ...fault ? [`      ${fault}`] : [], ...log ? [`      log: ${log}`] : []].join("\n");
}

/** `seed=3 stages.train.steps=100`. */
export function setText(set: PointStatus["set"]): string {
  return Object.entries(set).map(([path, value]) => `${path}=${inlineToml(value)}`).join(" ");
}
