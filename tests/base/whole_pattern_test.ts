/** Patterns of whole texts: the same texts as JavaScript's, in bounded steps. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { wholePattern } from "../../src/base/whole_pattern.ts";

const agrees = (source: string, text: string) => {
  const { isMatch } = wholePattern(source).match(text);
  assert.equal(isMatch, new RegExp(`^(?:${source})$`, "su").test(text), `${source} on ${text}`);
};

Deno.test("wholePattern() says of each text what JavaScript says", () => {
  const sources = [
    ..."a ab|aba? (?:a|b)*c a{2} a{2,} a{0,2} (a{1,2}b){2,3} .* [^a]b [\\]a-c]+ \\d+(\\.\\d+)? a|"
      .split(" "),
    ..."\\u{1F600} \\uD83D\\uDE00+ \\x41 \\p{Lu}\\P{Lu}* ^a$ a^b (?<x>a)b (|a)+ a*?b \\n[^] (^a|b)+$"
      .split(" "),
    ...["", "[]", "\\/ a", "((a*)*)*b", "(a|a)*b", "\\cA", "(?:)", "a{0}", "\\$\\^\\(\\)"],
  ];
  const texts = [
    "",
    "a",
    "b",
    "ab",
    "aba",
    "aa",
    "aab",
    "abc",
    "]",
    "3.14",
    "3.",
    "😀",
    "😀😀",
    "A",
    "Ab",
  ];
  for (const source of sources) {
    for (const text of [...texts, "\n\n", "/ a", "\x01", "aaaabb", "$^()", "\ud83d"]) {
      agrees(source, text);
    }
  }
});

Deno.test("wholePattern() says so of drawn patterns and texts, too", () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("a", "b", "[ab]", "."),
      fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => `${x}${y}`),
      fc.tuple(tie("pattern"), tie("pattern")).map(([x, y]) => `(${x}|${y})`),
      fc.tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"))
        .map(([x, sign]) => `(?:${x})${sign}`),
    ),
  }));
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(fc.property(pattern, text, agrees), { numRuns: 1500, seed: 1 });
});

Deno.test("steps are at most states times letters, where a matcher that goes back takes 2^letters", () => {
  for (
    const source of ["(a+)+b", "(a|a)*b", "(a|aa)+$", "((a*)*)*b", "(.*){1,20}x", "a?".repeat(50)]
  ) {
    const { size, match } = wholePattern(source);
    const { isMatch, steps } = match("a".repeat(3000) + "!");
    assert.ok(!isMatch && steps <= size * 3002, `${source}: ${steps}`);
  }
  assert.equal(wholePattern("((((){5000}){5000}){5000}){5000}").size, 1);
  assert.equal(wholePattern("ab").match("x".repeat(1e6)).steps, 1); // nothing is left to follow
});

Deno.test("what would have to go back is refused, with the part that it is about", () => {
  const refusals = [
    ["(a)\\1", /refers back to a group \(\\1\)/],
    ["(?<x>a)\\k<x>", /refers back to a group \(\\k<x>\)/],
    ["a(?=b)", /looks ahead or behind \(\(\?=\)/],
    ["(?<!a)b", /looks ahead or behind \(\(\?<!\)/],
    ["\\bword\\b", /edge of a word/],
    ["(?i:a)", /changes flags/],
    ["a{6000}", /repeats a part too often/],
    ["((a{90}){90}){90}", /more than 5000 states/],
    ["(".repeat(101) + ")".repeat(101), /nested more than 100/],
    ["a)(b", /no regular expression: Unmatched/],
    ["[a", /no regular expression: Unterminated character class/],
  ] as const;
  for (const [source, message] of refusals) assert.throws(() => wholePattern(source), message);
});
