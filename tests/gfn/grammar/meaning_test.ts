/** Tests of what derivations say: answers, models, and that words change no walk. */
import assert from "node:assert/strict";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { notAsked } from "../../../src/base/not_asked.ts";
import { meaningOf } from "../../../src/gfn/grammar/meaning.ts";
import { documentedGrammar, grammarOf, repositoryText } from "./small_grammar.ts";

const published = (name: string) => grammarOf(repositoryText(`grammars/${name}.toml`));

Deno.test("a grammar that says nothing asks one question per hole", () => {
  const meaning = meaningOf(grammarOf(documentedGrammar()));
  assert.deepEqual(meaning.questions.map(({ question }) => question), [
    "curve",
    "steepness",
    "noise",
    "tails",
  ]);
  const said = meaning.of(["saturation", "student_t"]);
  assert.deepEqual(said.answers, ["saturation", notAsked, "student_t", "out"]);
});

Deno.test("centred, non-centred and marginal programs of eight schools are one model", () => {
  const { of } = meaningOf(published("pooling"));
  const priors = ["mean_10", "scale_gamma"];
  const [centred, ...others] = [
    ["partial_pooling_centred", ...priors, "known_error"],
    ["partial_pooling_noncentred", ...priors, "normal_raw", "known_error"],
    ["partial_pooling_marginal", ...priors, "joint_error"],
  ].map(of);
  assert.deepEqual(centred.answers, ["partial", "normal", "normal", "out"]);
  for (const other of others) assert.deepEqual(other, centred);
  const heavy = of(["partial_pooling_noncentred", ...priors, "laplace_raw", "known_error"]);
  assert.notEqual(heavy.model, centred.model);
  assert.deepEqual(heavy.answers, ["partial", "laplace", "normal", "out"]);
});

Deno.test("a hole that is filled twice answers with all that was chosen", () => {
  const { of } = meaningOf(grammarOf(`
    format = 1
    name = "twice"
    template = "x = {x} + {x}"
    [holes.x]
    type = "number"
    productions = [{ name = "one", weight = 1, text = "1" }, { name = "two", weight = 1, text = "2" }]
  `));
  assert.deepEqual(of(["one", "two"]).answers, ["one + two"]);
  assert.deepEqual(of(["two", "two"]).answers, ["two"]);
});

Deno.test("words of reports make no other environment of a grammar", () => {
  const text = repositoryText("grammars/growth_curves_small.toml");
  const plain = text.replaceAll(/^(question|answer|nuisance) = .*\n/gm, "");
  assert.notEqual(text, plain);
  const [one, other] = [text, plain].map((each) => grammarEnvironment(grammarOf(each)).digest);
  assert.equal(one, other);
  const heavier = plain.replace("weight = 4.0", "weight = 5.0");
  assert.notEqual(grammarEnvironment(grammarOf(heavier)).digest, other);
});
