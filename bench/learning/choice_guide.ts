/** The last part of bench/results/learning.md: which objective, when, and what it asks for. */

/** Markdown; the reasons refer to the tables above it. */
export const choiceGuide = `## Which objective?

| objective | when to use | requires | see |
| --- | --- | --- | --- |
| \`sub_trajectory_balance\`, \`flow = "exact_where_terminable"\` | some prefixes are complete objects: programs with optional parts, grids. Best at equal budget on such spaces, and robust if rewards are sparse | the reward of every complete prefix | Madan et al. 2023; Deleu et al. 2022; Hu et al. 2024 |
| \`modified_sub_trajectory_balance\` | every prefix is complete, or a language model writes, which has no flow head | the reward of every complete prefix; log Z, if the empty text is no object | Hu et al. 2024 |
| \`trajectory_balance\` | rewards are dense, or only objects of full length are rewarded. Cheapest per step | log Z, learned with its own rate or estimated from the batch | Malkin et al. 2022 |
| \`log_partition_variance\` | as trajectory balance, but without log Z | at least two trajectories per batch | Zhang et al. 2023 |
| \`sub_trajectory_balance\`, \`flow = "learned"\` | rewards are sparse and no prefix is complete | a flow head. λ below 1 gives this head more weight. Take λ above 1 if only the ends of long objects are rewarded, as for bit sequences | Madan et al. 2023 |
| \`detailed_balance\` | long trajectories whose rewards are local | a flow head | Bengio et al. 2023 |
| \`forward_looking_*\` | a partial score adds up along the trajectory | this partial score | Pan et al. 2023 |
| \`relative_trajectory_balance\` | the target is prior × likelihood, with the environment's prior | the environment's log prior | Venkatraman et al. 2024 |
| \`reinforce\`, \`ppo\`, \`grpo\` with \`kl = 1\` | for comparison. They have the same optimum, but are on-policy, so without replay and exploration | – | Williams 1992; Schulman et al. 2017; Shao et al. 2024 |

Rules that the tables support:

- **Let the learning rate fall to 0.** The gradient noise of squared log ratios is proportional to the
  residuals. With a constant rate every objective therefore stops at some distance.
- **Residual loss.** Take \`squared\` if rewards are smooth, and \`log_cosh\` if a few residuals are huge
  (failed programs, tabular policies). Both have the same optimum.
- **Explore when sampling only.** A share of uniform choices that falls to 0 is enough. A larger share
  lowers KL(target‖policy), which is large if modes are missed.
- **Replay** gives more gradient steps for the same evaluations. At an equal number of trajectories it
  helps little.
- **Never** clamp residuals, normalise by length or add an entropy bonus if the policy should sample in
  proportion to the reward. Each of these moves the optimum, and Sluice offers none of them. Summary and
  certificate name parameters of objectives that move the optimum.`;
