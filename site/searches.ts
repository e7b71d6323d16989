/** Searches of readers, and the page that each must find among the first results. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import { indexOptions, searchOptions } from "./search.ts";

/** Results among which the page must be: as many as a reader sees without scrolling. */
const seen = 5;

const searches: Readonly<Record<string, string>> = {
  "which predictors matter": "docs/your_own_data",
  "variable selection": "docs/your_own_data",
  "Is that a Bayes factor?": "docs/evidence",
  "one model or an average": "docs/answers",
  "how large is an effect": "docs/answers",
  "are two groups different": "docs/your_own_data",
  "which row should I measure next": "docs/next",
  "train a GFlowNet on my own reward": "docs/for_gflownet_researchers",
  "trajectory balance or detailed balance": "docs/choosing",
  "did it converge": "docs/certificates",
  "one policy for many data sets": "docs/amortised",
  "can the policy be a language model with LoRA": "docs/models",
  "what is allowed to run": "docs/security",
  "reward hacking": "docs/reward_integrity",
  "add an objective": "docs/extending",
  "is it reproducible": "docs/running",
  "can I use a SLURM cluster": "docs/clusters",
  "how is it built": "docs/architecture",
  "how do I get a prediction for a new person": "docs/answers",
  "can I use my GPU": "docs/models",
  "what does pareto k mean": "docs/for_pymc_users",
  "how do I compare with loo_compare of R": "docs/engine",
  "conditional GFlowNet": "docs/for_gflownet_researchers",
  "can I resume": "docs/running",
  "random slopes": "docs/model_spaces",
  "set a prior": "docs/model_spaces",
  "logistic regression": "docs/model_spaces",
  "decimal comma": "docs/model_spaces",
  "certify my torchgfn policy": "docs/certificates",
  "does it work offline": "docs/your_own_data",
  "root privileges": "docs/security",
  "vLLM": "docs/oracles",
};

/** Searches whose page is not among the first results, a sentence each. */
export async function faultsOfSearch(site: string): Promise<string[]> {
  const folder = join(site, "assets", "chunks");
  const name = readdirSync(folder).find((one) => one.startsWith("@localSearchIndexroot"))!;
  const { default: index } = await import(
    pathToFileURL(join(folder, name)).href
  );
  const engine = MiniSearch.loadJSON(index, {
    fields: ["title", "titles", "text"],
    ...indexOptions,
    // VitePress sets the boost.
    searchOptions: {
      boost: { title: 4, text: 2, titles: 1 },
      ...searchOptions,
    },
  });
  return Object.entries(searches).flatMap(([words, page]) => {
    const found = engine.search(words).slice(0, seen).map(({ id }) => id as string);
    if (found.some((id) => id.startsWith(`/${page}.html`))) return [];
    return [
      `search "${words}" does not show ${page}, but ${found.join(", ") || "nothing"}`,
    ];
  });
}
