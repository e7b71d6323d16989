/** The last part of bench/results/learning.md: which objective, when, and what it asks for. */

/** Markdown; the reasons refer to the tables above it. */
export const choiceGuide = `## Which objective?

| objective | when to use | requires | see |
| --- | --- | --- | --- |
| \`sub_trajectory_balance\`, \`flow = "exact_where_terminable"\` | some prefixes are complete objects: programs with optional parts, grids. Best at equal budget there, and robust where rewards are sparse | the reward of every complete prefix | Madan et al. 2023; Deleu et al. 2022; Hu et al. 2024 |
| \`modified_sub_trajectory_balance\` | every prefix is complete, or a language model writes: no flow head | as above; log Z, where the empty object is none | Hu et al. 2024 |
| \`trajectory_balance\` | rewards are dense, or only ends are rewarded (fixed length). Cheapest per step | log Z, learned with a rate of its own or from the data | Malkin et al. 2022 |
| \`log_partition_variance\` | as trajectory balance, without log Z | at least two trajectories per batch | Zhang et al. 2023 |
| \`sub_trajectory_balance\`, \`flow = "learned"\` | rewards are sparse and no prefix is complete | a flow head; λ below 1 gives it more weight, so take λ above 1 where only the ends of long objects are rewarded: bit sequences | Madan et al. 2023 |
| \`detailed_balance\` | long trajectories whose rewards are local | a flow head | Bengio et al. 2023 |
| \`forward_looking_*\` | a partial score adds up along the trajectory | that score | Pan et al. 2023 |
| \`relative_trajectory_balance\` | the target is prior × likelihood and the prior is the environment's | its log prior | Venkatraman et al. 2024 |
| \`reinforce\`, \`ppo\`, \`grpo\` with \`kl = 1\` | for comparison: same optimum, on-policy only, so no replay and no exploration | – | Williams 1992; Schulman et al. 2017; Shao et al. 2024 |

Rules that the tables support:

- **Let the learning rate fall to 0.** Squared log ratios have gradient noise in proportion to the
  residuals; at a constant rate every objective stalls.
- **Residual loss.** \`squared\` where rewards are smooth; \`log_cosh\` where a few residuals are huge
  (failed programs, tabular policies). Neither moves the optimum.
- **Explore in the behaviour only.** A fading share of uniform choice is enough. A larger share lowers
  KL(target‖policy), which is large if modes are missed.
- **Replay** trades fresh evaluations for gradient steps; at equal trajectories it helps little.
- **Never** clamp residuals, normalise by length or add an entropy bonus to an objective that should
  sample in proportion to the reward: each moves the optimum. Sluice offers none of these;
  summary and certificate name parameters of objectives that move it.`;
