/** Tests of derivations that are written by names. */
import assert from "node:assert/strict";
import { renderDiagnostic } from "../../../src/base/diagnostic.ts";
import { actionsOfDerivation } from "../../../src/gfn/grammar/derivation.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { documentedGrammar, grammarOf } from "./small_grammar.ts";

const environment = grammarEnvironment(grammarOf(documentedGrammar()));

function complaint(names: string[], called?: string): string {
  const result = actionsOfDerivation(environment, names, called);
  return result.ok ? "none" : renderDiagnostic(result.diagnostic);
}

Deno.test("every derivation by names gives back its actions", () => {
  for (const { features, actions } of environment.enumerate()) {
    assert.deepEqual(actionsOfDerivation(environment, features), { ok: true, actions });
  }
});

Deno.test("a name that does not exist", () => {
  assert.equal(
    complaint(["line", "steap", "normal"], "my line"),
    `Cannot follow derivation "my line": choice 2 is "steap" after line; there is no such production
  mend: did you mean "steep"? Legal here: flat, steep`,
  );
});

Deno.test("a choice that is not legal there", () => {
  assert.equal(
    complaint(["saturation", "flat"]),
    `Cannot follow the derivation: choice 2 is "flat" after saturation; it is not legal here
  mend: Legal here: normal, student_t`,
  );
});

Deno.test("a clause that is not open", () => {
  assert.equal(
    complaint(["saturation", "normal", "estimated"]),
    `Cannot follow the derivation: choice 3 is "estimated" after saturation, normal; it is not legal here
  mend: Legal here: the end of the derivation`,
  );
});

Deno.test("the exit is not written", () => {
  assert.equal(
    complaint(["saturation", "normal", "exit"]),
    `Cannot follow the derivation: choice 3 is "exit" after saturation, normal; the exit is not written
  mend: Legal here: the end of the derivation`,
  );
});

Deno.test("a derivation that stops too early", () => {
  assert.equal(
    complaint(["line"]),
    `Cannot follow the derivation: it is not complete after line
  mend: go on with one of: flat, steep`,
  );
});
