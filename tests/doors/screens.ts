/** Printed names, levels and texts of strangers: terminals, JSON, files of programs. */
import { onOneLine, printableJson, printableStyled } from "../../src/base/printable.ts";
import type { Door, DoorAttack } from "./attack.ts";

const hostile = "\u001b[2J\u009b31m\u202eevil\u2066\u2028\u0007\u007f";
// deno-lint-ignore no-control-regex
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/u;

const shown = (name: string, print: (text: string) => string): DoorAttack => ({
  name,
  tried: () => acting.test(print(hostile)) ? "ACTS ON THE TERMINAL" : "shown as signs",
  holds: /^shown as signs$/,
});

/** Attempts by what is shown. */
export const screens: Door = {
  door: "terminals and JSON: rank, report, query, answer.json, certificate.json",
  idea: "names that move the cursor, change the window's title, or turn the direction of text",
  attacks: [
    shown("a name in a report", printableStyled),
    shown("a name in the JSON of --json and answer.json", (text) => {
      return printableJson(JSON.stringify({ [text]: [text] }, null, 2));
    }),
    {
      name: "a name that is a line of the report",
      tried: () => onOneLine({ question: "a\n- b: in 100 %", rows: [1] }).question,
      holds: /^a⏎- b: in 100 %$/,
    },
    {
      name: "JSON that is another value once it is escaped",
      tried: () => {
        const value = { [hostile]: [hostile, { nested: "\\u202e\\\\\u202e" }] };
        const back = JSON.parse(printableJson(JSON.stringify(value, null, 2)));
        return JSON.stringify(back) === JSON.stringify(value) ? "the same value" : "ANOTHER VALUE";
      },
      holds: /^the same value$/,
    },
  ],
};
