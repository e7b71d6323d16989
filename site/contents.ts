/** The pages of the site in the order in which a reader needs them. */
import { apiPage, doors } from "./api_doors.ts";

/** A part of the sidebar: a title, and pages by their path in the repository. */
export interface Part {
  readonly title: string;
  readonly pages: readonly (readonly [title: string, path: string])[];
}

/** Pages that the site's task makes of the code, below `dist/made` before they are laid out. */
export const madePages: readonly string[] = [
  "docs/commands.md",
  ...doors.map(([name]) => apiPage(name)),
];

/** Everything but the essays of design and notebooks, which their folders list. */
export const contents: readonly Part[] = [
  {
    title: "I have data",
    pages: [
      ["What Sluice is", "README.md"],
      ["Your own data in ten minutes", "docs/your_own_data.md"],
      ["Reading the answer", "docs/answers.md"],
      ["The next row to measure", "docs/next.md"],
      ["For PyMC users", "docs/for_pymc_users.md"],
      ["From Python", "docs/python.md"],
    ],
  },
  {
    title: "I train policies",
    pages: [
      ["For GFlowNet researchers", "docs/for_gflownet_researchers.md"],
      ["The main job: PyMC programs", "docs/main_job.md"],
      ["Choosing objective, policy, budget", "docs/choosing.md"],
      ["Did it converge? Certificates", "docs/certificates.md"],
      ["Language models", "docs/models.md"],
    ],
  },
  {
    title: "I build on it",
    pages: [
      ["From another repository", "docs/from_another_repository.md"],
      ["Extending", "docs/extending.md"],
      ["Architecture", "docs/architecture.md"],
      ["Security", "docs/security.md"],
      ["Contributing", "CONTRIBUTING.md"],
    ],
  },
  {
    title: "Questions",
    pages: [
      ["Fifteen questions", "docs/questions.md"],
      ["Ten examples", "docs/tutorials.md"],
      ["Two objectives on one job", "docs/sub_trajectory_balance.md"],
      ["SynthStats, Dataset Sucker, synth-ai", "docs/coming_from_language_models.md"],
      ["Experiments that are played", "docs/play.md"],
      ["The page of a run", "docs/html_report.md"],
    ],
  },
  {
    title: "Models and data",
    pages: [
      ["Model spaces", "docs/model_spaces.md"],
      ["Grammars", "docs/grammars.md"],
      ["The language of programs", "docs/language.md"],
      ["Distributions", "docs/distributions.md"],
      ["Time: the future left out", "docs/leave_future_out.md"],
      ["Data in the repository", "data/README.md"],
    ],
  },
  {
    title: "Runs",
    pages: [
      ["Running, resuming, reproducing", "docs/running.md"],
      ["Experiments: plans, sweeps, comparisons", "docs/experiments.md"],
      ["Clusters and SLURM", "docs/clusters.md"],
      ["Programs in containers", "docs/containers.md"],
      ["Commands", "docs/commands.md"],
      ["Pipeline files", "docs/pipeline_files.md"],
      ["Stages", "docs/stages.md"],
      ["All keys of stages", "schemas/keys.md"],
      ["Tables and SQL", "docs/tables.md"],
      ["Evidence beside ELPD", "docs/evidence.md"],
      ["Judges of texts", "docs/judges.md"],
      ["Evaluation", "docs/evaluation.md"],
    ],
  },
  {
    title: "Learning to sample",
    pages: [
      ["Environments", "docs/environments.md"],
      ["Policies", "docs/policies.md"],
      ["Objectives", "docs/objectives.md"],
      ["Surrogates", "docs/surrogates.md"],
      ["One policy for many data sets", "docs/amortised.md"],
      ["Sampling ahead", "bench/results/staleness.md"],
      ["Fine-tune on conversations", "docs/chat.md"],
      ["Oracles", "docs/oracles.md"],
      ["Training on a server", "docs/training_on_servers.md"],
      ["Learning, measured", "bench/results/learning.md"],
      ["Benchmarks", "bench/results/benchmarks.md"],
      ["Language models, measured", "bench/results/language_models.md"],
      ["One policy for many data sets, measured", "bench/results/amortised.md"],
      ["Certificates, measured", "bench/results/certificates.md"],
      ["Other people's data", "bench/results/data_sets.md"],
      ["Coverage of model spaces", "bench/results/spaces.md"],
      ["Experiments that are played, measured", "bench/results/experiments.md"],
      ["Programs of others", "bench/results/strangers.md"],
    ],
  },
  {
    title: "Why to trust it",
    pages: [
      ["The target", "docs/target.md"],
      ["The engine", "docs/engine.md"],
      ["Leave-one-out", "docs/loo.md"],
      ["The engine, measured", "bench/results/engine.md"],
      ["Linear-Gaussian programs", "docs/linear_gaussian.md"],
      ["Rewards that cannot be forged", "docs/reward_integrity.md"],
      ["The charge for constants", "docs/literals.md"],
      ["Attacks", "bench/results/attacks.md"],
      ["The sandbox, measured", "bench/results/sandbox.md"],
      ["The memo", "docs/memo.md"],
    ],
  },
  {
    title: "To change it",
    pages: [
      ["Glossary", "docs/glossary.md"],
      ["References", "docs/references.bib"],
      ["Changes", "CHANGELOG.md"],
    ],
  },
  {
    title: "API",
    pages: doors.map(([name]) => [name, apiPage(name)] as const),
  },
];
