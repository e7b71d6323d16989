/** Experiments: sweeps whose points are runs, comparisons of runs, exports to other tools. */
export { frozenInputs, requireFrozen } from "./sweep/frozen_inputs.ts";
export { growSweep, makeSweep, readSweep, setsOf } from "./sweep/make.ts";
export { addRung, wantedEnd } from "./sweep/halving.ts";
export { countPoints, sweptPoints } from "./sweep/points.ts";
export { type PointStatus, sweepStatus } from "./sweep/status.ts";
export { type PointEnd, workOn, type WorkOptions } from "./sweep/work.ts";
export { type AskRuns, sweepReport } from "./compare/sweep_report.ts";
export { measureMarkdown, reportMarkdown, table } from "./compare/report_markdown.ts";
export { reportCsv } from "./compare/report_csv.ts";
export { reportHtml } from "./compare/report_html.ts";
export { bundleOf, openBundle } from "./bundle/bundle.ts";
export { diffRuns, type RunDiff } from "./compare/run_diff.ts";
export { batchScript, type Cluster, jobOf, readCluster, withResources } from "./cluster/slurm.ts";
export { snakefile } from "./cluster/snakefile.ts";
