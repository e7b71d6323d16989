/** The part of a run's report about its course: KL(target‖policy) as training went on. */
import type { Certificate } from "../certificate_schema.ts";
import { heading, type Terminal } from "../terminal.ts";
import { logPlot } from "./plot.ts";

/** Letters of the axis, and of a column. */
const [axisWidth, columnWidth] = [10, 5];

/** Plots KL(target‖policy) for each stage that measured it twice or more. */
export function printCourse(course: Certificate["course"], terminal: Terminal): void {
  const measured = course.filter((point) => point.kl_target_policy !== undefined);
  for (const [stage, points] of Map.groupBy(measured, (point) => point.stage)) {
    if (points.length < 2) continue;
    const room = Math.max(2, Math.floor((terminal.width - axisWidth) / columnWidth));
    const shown = spread(points.map((point) => Number(point.kl_target_policy)), room);
    const plot = logPlot(shown, 5, columnWidth);
    const [first, last] = [points[0], points[points.length - 1]];
    heading(terminal, `Course of KL(target‖policy) in ${stage}`);
    terminal.out(plot);
    const reach = `${count(first.trajectories)} … ${count(last.trajectories)} trajectories, ` +
      `${count(last.distinct_evaluations)} distinct programs executed for training`;
    terminal.out(`          ${reach}`);
  }
}

/** The first and the last of many values, and as many between them as there is room for. */
function spread(values: readonly number[], room: number): readonly number[] {
  if (values.length <= room) return values;
  const pace = (values.length - 1) / (room - 1);
  return Array.from({ length: room }, (_, i) => values[Math.round(i * pace)]);
}

function count(value: number): string {
  return value.toLocaleString("en");
}
