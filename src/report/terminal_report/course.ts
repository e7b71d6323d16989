/** The part of a run's report about its course: KL(target‖policy) as training went on. */
import type { Certificate } from "../certificate_schema.ts";
import { heading, type Terminal } from "../terminal.ts";
import { logPlot } from "./plot.ts";

/** Plots KL(target‖policy) for each stage that measured it twice or more. */
export function printCourse(course: Certificate["course"], terminal: Terminal): void {
  const measured = course.filter((point) => point.kl_target_policy !== undefined);
  for (const [stage, points] of Map.groupBy(measured, (point) => point.stage)) {
    if (points.length < 2) continue;
    const plot = logPlot(points.map((point) => Number(point.kl_target_policy)), 5, 5);
    const [first, last] = [points[0], points[points.length - 1]];
    heading(terminal, `Course of KL(target‖policy) in ${stage}`);
    terminal.out(plot);
    const reach = `${count(first.trajectories)} … ${count(last.trajectories)} trajectories, ` +
      `${count(last.distinct_evaluations)} distinct programs executed for training`;
    terminal.out(`          ${reach}`);
  }
}

function count(value: number): string {
  return value.toLocaleString("en");
}
