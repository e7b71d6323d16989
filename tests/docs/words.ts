/** Finds sentences that begin with an impersonal pronoun, and words of the house that have a term. */

/** Pronouns that name nothing that acts. Questions may begin with them. */
const impersonal = /^(what|whatever|whoever|nobody|somebody)\b/i;

/** Words of the house, and the term of the field that a reader expects. */
export const terms: Readonly<Record<string, string>> = {
  "flatters": "selection bias",
  "the error itself means little": "standard errors of differences below 4 nats are unreliable",
  "no more than chance gives": "below what chance alone would give",
  "whatever that is worth": "with any reward",
  "never saw the policy": "independent searches",
  "no more than that is claimed": "found nothing that the policy misses",
  "nobody looked at": "unscored",
  "nobody scored": "unscored",
  "somebody looked at": "scored",
  "nobody could defend": "not justified",
  "nobody can list": "too large to enumerate",
  "can be listed": "can be enumerated",
  "whoever asked": "repeats are free",
  "whoever writes": "the author",
  "what may be said": "you may say",
  "share of the prior": "prior mass",
  "held against": "checked against, compared with",
  "in the place of": "instead of",
  "learnt by heart": "memorised",
  "thrown away": "discarded",
  "for nothing": "at no cost",
  "for want of": "for lack of",
  "came by": "found",
  "is kind to": "favours",
  "sanguine": "overconfident",
  "let go": "released",
  "anew": "again",
  "far out": "an outlier",
  "nobody": "no one, or the passive",
  "somebody": "a user, a reader, an author",
  "whoever": "the user, the author",
  "no explorer came": "no explorer found",
  "by luck": "by chance",
  "of no use": "useless",
  "beyond doubt": "certain",
};

/** Sentences of a page, without code, tables' rules and headings' signs. */
export function sentencesOf(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "CODE")
    .replace(/!?\[[^\]]*\]\([^)]*\)/g, "LINK");
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)/).flatMap((paragraph) =>
    paragraph.replace(/\s+/g, " ").split(/(?<=[.?!:;]\)?)\s+|\s\|\s?/)
  ).map((one) => one.replace(/^[\s#>|*_[\d.-]+/, "").trim()).filter((one) => one !== "");
}

/** Paragraphs and list items of a page with links as their texts, without code, tables and headings. */
function paragraphsOf(markdown: string): string[] {
  const prose = markdown.replace(/^ *```[\s\S]*?^ *```/gm, "").replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^\s*[|#].*$/gm, "").replace(/`[^`\n]*`/g, "CODE").replace(
      /!?\[([^\]]*)\]\([^)]*\)/g,
      "$1",
    );
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/).map((one) =>
    one.replace(/\s+/g, " ").trim()
  );
}

/** Words of a text: pieces between blanks with a letter or a digit. */
function wordsOf(text: string): number {
  return text.split(/\s+/).filter((one) => /[\p{L}\p{N}]/u.test(one)).length;
}

/** Sentences of more words than `most`, up to their full stop. */
export function longSentences(markdown: string, most: number): string[] {
  return paragraphsOf(markdown)
    .flatMap((one) => one.split(/(?<=[.?!]["”)]?)(?<!\b(?:al|e\.g|vs)\.)\s+(?=[\p{Lu}"“(*_\d])/u))
    .filter((one) => wordsOf(one) > most);
}

/** Pieces of a text between blanks, as `wc -w` counts them: code and tables included. */
export function piecesOf(text: string): number {
  return text.split(/\s+/).filter((one) => one !== "").length;
}

/** Sentences that begin with an impersonal pronoun and ask nothing. */
export function impersonalStarts(markdown: string): string[] {
  return sentencesOf(markdown).filter((one) => impersonal.test(one) && !one.includes("?"));
}

/** Words of the house in a text without its code, each with its term. */
export function houseWords(markdown: string): string[] {
  const text = markdown.replace(/^ *```[\s\S]*?^ *```/gm, "").replace(/`[^`\n]*`/g, "CODE")
    .replace(/\]\([^)]*\)/g, "]").toLowerCase().replace(/\s+/g, " ");
  return Object.entries(terms).filter(([word]) => new RegExp(`\\b${word}\\b`).test(text))
    .map(([word, term]) => `${word}: ${term}`);
}
