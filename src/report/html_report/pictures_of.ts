/** The pictures of a page, in its order. */
import { effectsPicture, questionPicture } from "../figures/answers.ts";
import {
  decidingPicture,
  type DecidingRow,
  paretoPicture,
  pitPicture,
  replicatedPicture,
} from "../figures/checks.ts";
import { averagePicture, modelsPicture } from "../figures/curves.ts";
import { histogramPicture, scatterPicture } from "../figures/data.ts";
import type { Picture } from "../figures/picture.ts";
import { proofPictures } from "../figures/proof.ts";
import {
  binsOf,
  mainPredictor,
  pointsOf,
  responseOf,
  type RowColumn,
  shownResponse,
  shownValue,
} from "./data_facts.ts";
import { type Deciding, isMissing, type PageFacts } from "./facts.ts";
import { pitCurve } from "./pit.ts";
import { plain } from "./words.ts";

/** All pictures that the facts have numbers for; empty ones are left out. */
export function picturesOf(facts: PageFacts): Picture[] {
  const { answer, certificate } = facts.report;
  const questions = answer?.questions ?? [];
  return [
    ...dataPictures(facts),
    ...questions.flatMap((one, i) => one.answers.length > 1 ? [questionPicture(one, i)] : []),
    ...(answer && answer.effects.length > 0 ? [effectsPicture(answer.effects)] : []),
    ...fitPictures(facts),
    ...influencePictures(facts),
    ...(certificate ? proofPictures(certificate) : []),
  ];
}

function dataPictures({ data }: PageFacts): Picture[] {
  if (isMissing(data)) return [];
  const response = responseOf(data);
  if (!response || response.values.length === 0) return [];
  const main = mainPredictor(data);
  const shown = shownResponse(data)!;
  const names = { x: main?.name ?? "", y: shown.name };
  return [
    histogramPicture(response.name, binsOf(response)),
    ...(main ? [scatterPicture(names, pointsOf(main, shown, data), data.rows)] : []),
  ];
}

function fitPictures({ fits, data, deciding }: PageFacts): Picture[] {
  if (isMissing(fits)) return [];
  const { scene, average, models, replicated, pit } = fits;
  const response = isMissing(data) ? undefined : responseOf(data);
  const question = deciding?.question ?? "model";
  return [
    ...(scene && average ? [averagePicture(scene, average)] : []),
    ...(scene && models.length > 1 ? [modelsPicture(scene, models, question)] : []),
    ...(replicated && response ? [replicatedPicture(response.name, replicated)] : []),
    ...(pit && pit.length > 0 ? [pitPicture(pitCurve(pit))] : []),
  ];
}

/** Rows that the picture of deciding rows has room for. */
const mostDeciding = 10;

function influencePictures({ best: [best], deciding, data }: PageFacts): Picture[] {
  const unit = best?.unit === "group" ? "group" : "row";
  const pareto = best && best.paretoK.length > 1 && best.goodK !== null
    ? [paretoPicture(best.paretoK, best.goodK, unit)]
    : [];
  if (!deciding) return pareto;
  const rows = decidingRows(deciding, { data }, unit);
  const shown = unit === "row" ? shownColumns(data, deciding.nats.length) : [];
  const names = shown.map(({ name }) => name);
  return [decidingPicture(rows, deciding.answers, unit, names), ...pareto];
}

function decidingRows(
  { nats }: Deciding,
  { data }: Pick<PageFacts, "data">,
  unit: string,
): DecidingRow[] {
  const order = [...nats.keys()].sort((a, b) => Math.abs(nats[b]) - Math.abs(nats[a]) || a - b);
  return order.slice(0, mostDeciding).map((i) => ({
    row: i + 1,
    label: `${unit} ${i + 1}${unit === "row" ? valuesOf(data, i, nats.length) : ""}`,
    nats: nats[i],
  }));
}

/** The response and the main predictor, where each row has a value. */
function shownColumns(data: PageFacts["data"], rows: number): readonly RowColumn[] {
  if (isMissing(data) || data.rows !== rows) return [];
  return [responseOf(data), mainPredictor(data)].filter((one) => one !== undefined);
}

/** Their values in a row, in brackets. */
function valuesOf(data: PageFacts["data"], row: number, rows: number): string {
  const shown = shownColumns(data, rows).map((column) => {
    const value = shownValue(column, column.values[row]);
    return typeof value === "number" ? plain(value) : value;
  });
  return shown.length > 0 ? ` (${shown.join(", ")})` : "";
}
