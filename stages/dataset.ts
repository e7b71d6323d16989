/** Stage kind `dataset`: reads a data file and gives its columns roles and types. */
import { z } from "../src/base/zod.ts";
import { columnRoles, columnTypes, type Dataset, responseColumn } from "../src/base/dataset.ts";
import { missingRules } from "../src/data/missing_rules.ts";
import { plainPorts, port } from "./ports/plain_ports.ts";
import { defineStage, filePath, type StageContext } from "../src/pipeline/contract/mod.ts";
import { atParameter } from "./common/at_parameter.ts";

const column = z.strictObject({
  role: z.enum(columnRoles).describe("role of the column"),
  type: z.enum(columnTypes).default("real").describe("type of its values"),
  resolution: z.union([z.number().positive(), z.literal("continuous")]).optional()
    .describe(
      'step to which a measurement was recorded, or "continuous" (default: the decimal grid of the values)',
    ),
  levels: z.array(z.string()).min(2).optional()
    .describe(
      "of a category: its levels in order (default: sorted); of a binary or event column: the words for 0 and 1",
    ),
  sum: z.array(z.string()).length(2).optional()
    .describe("two columns of the file that it is the sum of, such as successes and failures"),
});

const holdout = z.union([
  z.strictObject({
    share: z.number().gt(0).lt(1).describe("share of the rows; the data determine which"),
  }),
  z.strictObject({ column: z.string().describe("a column with 1 in withheld rows, 0 in others") }),
]);

const params = z.strictObject({
  path: filePath().describe("the data file"),
  columns: z.record(z.string(), column).describe("columns to use, by name; others are left out"),
  missing: z.enum(missingRules).default("error").describe(
    "rows with missing cells: refused; dropped; or a measured predictor's missing values become parameters, other such rows are dropped",
  ),
  na: z.array(z.string()).min(1).optional()
    .describe("words of the file for a missing value, beside NA, NaN, N/A, null and nothing"),
  frequency: z.string().optional()
    .describe(
      "column with the number of equal rows that each row represents, as in a table of counts",
    ),
  holdout: holdout.optional()
    .describe("rows withheld from programs and training, for the judge elpd_holdout"),
  confirm: z.number().gt(0).lt(1).optional()
    .describe(
      "share of the rows that neither a reward nor a choice reads; the likeliest programs are checked on them",
    ),
});

export default defineStage({
  kind: "dataset",
  version: 1,
  description: "Reads a CSV, TSV, JSON or Parquet file and gives its columns roles and types.",
  params,
  inputs: {},
  outputs: { dataset: port(plainPorts.dataset, "the data set") },
  async run(context, _inputs, params) {
    const dataset = await readDataset(context, params);
    const dropped = dataset.dropped > 0 ? `, ${dataset.dropped} dropped` : "";
    const withheld = dataset.holdout ? `, ${dataset.holdout.rows} withheld` : "";
    const kept = dataset.confirm ? `, ${dataset.confirm.rows} kept for confirmation` : "";
    context.log(
      `${dataset.rows} rows${withheld}${kept}${dropped}; ${dataset.columns.length} columns`,
    );
    context.metric("rows", dataset.rows);
    context.metric("rows_dropped", dataset.dropped);
    return { dataset };
  },
  check: async ({ context, params }) => ({ dataset: await readDataset(context, params) }),
});

/** The rows that a request names, with roles and kinds of its columns. @throws InputError with every finding. */
async function readDataset(
  context: StageContext,
  request: z.output<typeof params>,
): Promise<Dataset> {
  const { readAllRows } = await import("../src/data/read_dataset.ts");
  const { describeResolution } = await import("../src/data/resolution.ts");
  const { confirmRows, withholdRows } = await import("../src/data/holdout.ts");
  const { countsAsReals } = await import("../src/data/counts_as_reals.ts");
  const { codeForMissing } = await import("../src/data/codes_for_missing.ts");
  const { rowsLeftOut, valuesModelled } = await import("../src/data/rows_left_out.ts");
  const { holdout, confirm, columns } = request;
  const { dataset: all, gaps } = await atParameter(["path"], () => readAllRows(request));
  const seen = await atParameter(["confirm"], () => confirm ? confirmRows(all, confirm) : all);
  const withhold = () => holdout ? { ...seen, ...withholdRows(seen, holdout) } : seen;
  const dataset = await atParameter(["holdout"], withhold);
  const response = responseColumn(dataset)!;
  const recorded = describeResolution(response);
  if (recorded) context.log(`${response.name}: ${recorded}`);
  const warning = countsAsReals(response, columns[response.name]);
  if (warning) context.log(warning, "warning");
  const left = rowsLeftOut(all.rows + all.dropped, all.dropped, gaps);
  if (left) context.log(left, "warning");
  for (const { name, values, type, role } of all.columns) {
    const isMeasured = type === "real" && (role === "predictor" || role === "response");
    const code = isMeasured ? codeForMissing([...values]) : undefined;
    if (code) context.log(`${name}: ${code}`, "warning");
  }
  const { fileFindings } = await import("../src/data/file_findings.ts");
  for (const found of fileFindings(dataset)) context.log(found, "warning");
  const modelled = valuesModelled(all.columns);
  if (modelled) context.log(modelled, "warning");
  return dataset;
}
