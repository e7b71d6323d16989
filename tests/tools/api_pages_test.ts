/** Pages of the API have what a door exports, safe as Markdown, and nothing of other packages. */
import assert from "node:assert/strict";
import { apiPageText } from "../../tools/api_pages.ts";

const printed = `Defined in file:///house/src/a.ts:3:1

function most<T>(values: readonly T[]): T | undefined
  The most common of {@linkcode values}, where \`a < b\`; {{ none }} of <none>.

  @param values
      \`[n]\`, in any order.

  @example
      \`\`\`ts
      assert.equal(most([1, 1, 2]), 1);
      \`\`\`


Defined in file:///house/src/b.ts:9:1

interface Pair
  Two numbers.

  readonly low: number
    The smaller one.

Defined in file:///elsewhere/zod.ts:1:1

function z(): void
  Not of this house.
`;

Deno.test("a page has signature, comment and example of each symbol of the checkout", () => {
  const page = apiPageText("sluice/most", printed, "file:///house/");
  assert.match(page, /^# `sluice\/most`\n/);
  assert.match(
    page,
    /## most\n\n```ts\nfunction most<T>\(values: readonly T\[\]\): T \| undefined\n```/,
  );
  assert.match(
    page,
    /most common of `values`, where `a < b`; &#123;&#123; none &#125;&#125; of &#60;none&#62;/,
  );
  assert.match(page, /\*\*param\*\* values\n`\[n\]`, in any order\./);
  assert.match(page, /```ts\nassert\.equal\(most\(\[1, 1, 2\]\), 1\);\n```/);
  assert.match(
    page,
    /## Pair\n\n```ts\ninterface Pair\n```\n\n```ts\nTwo numbers\.\n\nreadonly low: number/,
  );
  assert.match(page, /`src\/a\.ts`/);
  assert.doesNotMatch(page, /zod|this house/);
});
