/** Exports of numbers to trackers: loaded by runs that go on, which need nothing else of experiments. */
export { TrackedLog, trackedSql } from "./series.ts";
export { writeTracker } from "./write.ts";
