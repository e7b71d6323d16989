/** The course of a training in the terminal: as wide as the terminal, from the first value to the last. */
import assert from "node:assert/strict";
import pc from "picocolors";
import type { Certificate } from "../../src/report/certificate_schema.ts";
import { printCourse } from "../../src/report/terminal_report/course.ts";
import type { Terminal } from "../../src/report/terminal.ts";

Deno.test("a course of 600 values fits the terminal, and ends with the last", () => {
  const lines: string[] = [];
  const out = (text: string) => lines.push(...text.split("\n"));
  const terminal = { width: 80, out, colour: pc.createColors(false) } as unknown as Terminal;
  const course = Array.from({ length: 600 }, (_, i) => ({
    stage: "train.progress",
    kl_target_policy: i === 0 || i === 599 ? 1 : 0.001,
    trajectories: i,
    distinct_evaluations: i,
  }));
  printCourse(course as unknown as Certificate["course"], terminal);
  const plot = lines.filter((line) => line.includes("┤"));
  assert.equal(plot.length, 5);
  assert.equal(plot[0].trimEnd().length, 80 - 1);
  assert.match(plot[0], /┤█{4} +█{4}$/);
});
