/** Terms that the site's search compares. VitePress writes each of these functions into pages: none may call another. */

/** Terms of a text: words, and identifiers whole as well as by their parts. */
function tokenize(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_]+/u);
  return words.flatMap((word) => word.includes("_") ? [word, ...word.split("_")] : [word])
    .filter((word) => word !== "");
}

/** A word of a page, without its ending. */
function termOfPage(word: string): string {
  const term = word.toLowerCase();
  if (term.includes("_") || term.length < 6) return term;
  return term.replace(
    /(ibility|ibilities|ability|ible|able|ations?|ions?|ence|ing|ers?|ed|es|e|s)$/,
    "",
  );
}

/** Terms of a word in a search: none of a word that any question may have; the pages' words beside a reader's. */
function termsOfSearch(word: string): string | string[] | null {
  const filling =
    "a about all also an and any are as at be but by can could did do does each for " +
    "from get give good has have how i if in into is it its like make may me mean mine much my of " +
    "off on or other our out please shall should some than that the their them then there these " +
    "they this to too use used using was way we were what when where whether which who why will " +
    "with work works would you your";
  const words: Record<string, string> = {
    "multilevel": "hierarchical intercept",
    "random mixed": "varying group",
    "slope slopes": "varying intercept",
    "significant": "interval matter",
    "credible confidence sure": "interval",
    "converge": "certificate",
    "compatible": "stability",
    "variable variables feature features covariate": "predictor",
    "selection lasso horseshoe spike projpred": "matter predictor",
    "categorical": "factor category",
    "logistic binary": "bernoulli odds",
    "person patient unseen": "row",
    "license": "licence",
    "cite citation": "cff",
    "privacy telemetry offline internet": "network",
    "mcmc": "nuts metropolis",
    "stan": "pymc brms",
    "waic": "loo elpd",
    "bma": "averaging",
    "rhat": "hat",
    "imputation": "missing",
    "docker": "container",
    "root sudo privileges": "namespaces bubblewrap",
    "allowed": "confine permission",
    "built": "architecture",
    "trl verl openrlhf": "server skyrl",
    "restart continue killed": "resuming",
    "hpc": "slurm cluster",
    "kubernetes": "snakemake",
    "nvidia": "gpu cuda",
  };
  const stem = (term: string) =>
    term.includes("_") || term.length < 6 ? term : term.replace(
      /(ibility|ibilities|ability|ible|able|ations?|ions?|ence|ing|ers?|ed|es|e|s)$/,
      "",
    );
  const term = word.toLowerCase();
  if (filling.split(" ").includes(term)) return null;
  const others = Object.entries(words)
    .filter(([theirs]) => theirs.split(" ").some((one) => stem(one) === stem(term)))
    .flatMap(([, ours]) => ours.split(" "));
  return [stem(term), ...others.map(stem)];
}

/** Letters that may differ: none in short words, which would be other words. */
function lettersOff(term: string): number {
  return term.length < 5 || term.includes("_") ? 0 : Math.round(term.length / 5);
}

/** Pages of the doors before those of the API, the essays and tables of measurements. */
function boostOfPage(id: string): number {
  if (id.includes("/docs/api/")) return 0.2;
  if (/\/(docs\/(design|notebooks|commands)|CHANGELOG|src)/.test(id)) {
    return 0.5;
  }
  return /\/(bench|schemas)\//.test(id) ? 0.7 : 1;
}

/** Terms of pages, by which they are indexed. */
export const indexOptions = { tokenize, processTerm: termOfPage };

/** How a question is searched. */
export const searchOptions = {
  processTerm: termsOfSearch,
  fuzzy: lettersOff,
  prefix: (term: string) => term.length > 3,
  boostDocument: boostOfPage,
};
