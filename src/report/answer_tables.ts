/** Answers of runs as tables of SQL, from `answer.json` beside each run. */
import type { RunDocuments } from "../pipeline/store/mod.ts";

const number = (name: string, path = name) => `(one->>'$.${path}')::DOUBLE as "${name}"`;
const whole = (name: string) => `(one->>'$.${name}')::BIGINT as "${name}"`;
const text = (name: string) => `one->>'$.${name}' as "${name}"`;
const interval = ["lo", "hi", "whole_lo", "whole_hi"].map((name) => number(name));

/** Rows of a list within the document. */
function listed(list: string, columns: readonly string[]): string {
  return `select run_id, ${columns.join(", ")} from (
    select run_id, unnest(json_extract(document, '$.${list}[*]')) as one from run_document)`;
}

/** Tables `answer`, `effect` and `model`: a row for each answer to a question, each term, each model. */
export const answerTables: RunDocuments = {
  file: "answer.json",
  tables: {
    answer: `select run_id, asked->>'$.question' as question, ${
      [text("answer"), number("prior"), whole("scored"), number("target"), ...interval].join(", ")
    } from (
      select run_id, asked, unnest(json_extract(asked, '$.answers[*]')) as one from (
        select run_id, unnest(json_extract(document, '$.questions[*]')) as asked from run_document))`,
    effect: listed("effects", [
      ...["term", "against", "at"].map(text),
      ...["mean", "lo", "hi"].map((name) => number(name)),
      `one->>'$.ratio.name' as ratio`,
      ...["mean", "lo", "hi"].map((name) => number(`ratio_${name}`, `ratio.${name}`)),
      number("share"),
    ]),
    model: listed("likeliest", [
      text("model"),
      whole("programs"),
      ...["prior", "target"].map((name) => number(name)),
      ...interval,
      ...["stacking", "pseudo_bma_plus"].map((name) => number(name)),
    ]),
  },
};
