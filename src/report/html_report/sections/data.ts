/** The data at a glance. */
import { rowColumns, spreadText } from "../data_facts.ts";
import { type Drawn, figure } from "../drawn.ts";
import { isMissing, type PageFacts } from "../facts.ts";
import { type Html, markup, tableOf } from "../html.ts";
import { counted } from "../words.ts";
import { missingNote } from "./missing.ts";

/** Names of roles. */
const roles: Readonly<Record<string, string>> = {
  response: "response",
  predictor: "predictor",
  trials: "number of trials",
  exposure: "exposure",
  group: "group",
  time: "order in time",
  ignore: "not used",
};

/** Columns that the table lists. */
const mostColumns = 40;

/** Rows, columns, and how the response is spread and goes with its main predictor. */
export function dataSection({ data }: PageFacts, drawn: Drawn): Html {
  if (isMissing(data)) return markup`<h2 id="data">The data</h2>${missingNote(data)}`;
  const { rows, dropped, holdout, name } = data;
  const columns = rowColumns(data).filter(({ gapsOf }) => gapsOf === undefined);
  const gaps = new Map(rowColumns(data).map((one) => [one.gapsOf, one.values]));
  const lacking = (name: string) => {
    const count = gaps.get(name)?.filter((which) => which > 0).length ?? 0;
    return count > 0 ? `; ${count} missing, which the models have as parameters` : "";
  };
  const left = dropped > 0 ? `; ${counted(dropped, "row")} with missing values were left out` : "";
  const kept = holdout
    ? `; ${counted(holdout.rows, "row")} were held out and seen by no model`
    : "";
  const recorded = columns.some(({ resolution }) => typeof resolution === "number");
  const body = columns.slice(0, mostColumns).map((column) => [
    markup`<code>${column.name}</code>`,
    roles[column.role] ?? column.role,
    column.type,
    `${spreadText(column)}${lacking(column.name)}`,
    ...(recorded ? [typeof column.resolution === "number" ? `${column.resolution}` : ""] : []),
  ]);
  const head = ["column", "role", "type", "values", ...(recorded ? ["recorded to"] : [])];
  const more = columns.length - body.length;
  return markup`<h2 id="data">The data at a glance</h2>
<p>${counted(rows, "row")} of ${name}, ${counted(columns.length, "column")}${left}${kept}.</p>
${tableOf(head, body, new Set([0, 1, 2, 3]))}
${more > 0 ? markup`<p>${counted(more, "further column")} not listed.</p>` : undefined}
${figure(drawn, "response")}${figure(drawn, "response_over_predictor")}`;
}
