/** Families are told apart as their greatest likelihoods tell them, at every dispersion. */
import { holdFamilyLaw } from "./family_laws.ts";
import { familyPairs, titleOf } from "./family_pairs.ts";

for (const pair of familyPairs) Deno.test(titleOf(pair), () => holdFamilyLaw(pair));
