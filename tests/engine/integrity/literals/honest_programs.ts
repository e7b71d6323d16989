/** Honest programs of three collections, with what their constants are charged. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { literalsOf } from "../../../../src/engine/score/literals/charge.ts";
import { dugongs } from "../../density/data.ts";
import { readCases } from "../../python/catalogue.ts";
import { datasets, rowsOf } from "../../python/corpus_data.ts";
import { environments, experimentData } from "../../score/corpus/experiments.ts";
import { courseModels } from "../course_models/course_models.ts";
import { honestModels } from "../reward_matrix/honest.ts";

/** One honest program. */
export interface HonestProgram {
  readonly name: string;
  readonly text: string;
  readonly data: Dataset;
  readonly rows?: "ordered" | "exchangeable";
}

const corpus = new URL("../../python/corpus/", import.meta.url);
const more = new URL("../../score/corpus/more/", import.meta.url);

function corpusPrograms(): HonestProgram[] {
  return Object.keys(datasets).flatMap((file) => {
    const own = environments.includes(file);
    const data = own ? experimentData(file, 10, 0) : datasets[file];
    const texts = [corpus, ...(own ? [more] : [])].map((folder) =>
      Deno.readTextFileSync(new URL(`${file}.txt`, folder))
    );
    return texts.flatMap(readCases).map(({ title, program }) => ({
      ...{ name: `${file}: ${title}`, text: program, data, rows: rowsOf(title) },
    }));
  });
}

/** Collections by name. */
export const collections: Readonly<Record<string, () => readonly HonestProgram[]>> = {
  "models of a course": courseModels,
  "gallery, and programs in the style of BoxingGym": corpusPrograms,
  "honest models of the reward matrix": () =>
    honestModels.attacks(dugongs(0.01)).map(({ name, text }) => ({
      ...{ name, text, data: dugongs(0.01) },
    })),
};

/** Nats, at most 0; undefined of a program that is refused. */
export function chargeOf({ text, data, rows }: HonestProgram): number | undefined {
  const checked = checkProgram(text, data, undefined, { rows: rows ?? "exchangeable" });
  return checked.ok ? literalsOf(checked.program, data) : undefined;
}
