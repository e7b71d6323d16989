/** Templates of prompts: variables that they may name, and messages about templates that fail. */
import assert from "node:assert/strict";
import { PromptTemplate } from "../../src/models/text/prompt_template.ts";

const x = { known: ["x"], required: ["x"] };
const messageOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

Deno.test("a template may loop, set and filter, and read what it was given", () => {
  const text = "{% set k = 2 %}{% for i in range(k) %}{{ loop.index }}:{{ x | trim }} {% endfor %}";
  assert.equal(new PromptTemplate(text, x).render({ x: " a " }), "1:a 2:a ");
});

Deno.test("a template that names what nobody gives is refused before it is applied", () => {
  const message = messageOf(() => new PromptTemplate("{{ x }} {{ answer }}", x));
  assert.match(message, /it names "answer", which has no value/);
  assert.match(messageOf(() => new PromptTemplate("{{ x[key] }}", x)), /it names "key"/);
  assert.match(messageOf(() => new PromptTemplate("{{ x if wide }}", x)), /it names "wide"/);
  assert.match(messageOf(() => new PromptTemplate("{{ x | join(between) }}", x)), /"between"/);
});

Deno.test("a template without its variable is refused, for all prompts would be one", () => {
  assert.match(messageOf(() => new PromptTemplate("Answer:", x)), /it lacks {{ x }}/);
});

Deno.test("a template that cannot be read, or raises, says why", () => {
  assert.match(messageOf(() => new PromptTemplate("{{ x }", x)), /Cannot read template "{{ x }"/);
  const raising = new PromptTemplate("{{ raise_exception('too long: ' + x) }}", x);
  assert.match(messageOf(() => raising.render({ x: "a" })), /Cannot apply template .*too long: a/);
});
