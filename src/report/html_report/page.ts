/** The HTML report of a run: one file that needs nothing else and lets nothing in. */
import { createHash } from "node:crypto";
import type { Drawn } from "./drawn.ts";
import type { PageFacts } from "./facts.ts";
import { Html, markup } from "./html.ts";
import { script } from "./script.ts";
import { answersSection } from "./sections/answers.ts";
import { checksSection, influenceSection } from "./sections/checks.ts";
import { curvesSection } from "./sections/curves.ts";
import { dataSection } from "./sections/data.ts";
import { leadSection, titleSection } from "./sections/lead.ts";
import { playedSection } from "./sections/played.ts";
import { programsSection } from "./sections/programs.ts";
import { proofSection } from "./sections/proof.ts";
import { reproduceSection } from "./sections/reproduce.ts";
import { warningsOf, warningsSection } from "./sections/warnings.ts";
import { style } from "./style.ts";
import { counted } from "./words.ts";

/** The page, whole. The same facts and drawings give the same bytes. */
export function page(facts: PageFacts, drawn: Drawn): string {
  const sections = sectionsOf(facts, drawn);
  const links = sections.flatMap(({ id, link, content }) =>
    content && link ? [markup`<a href="#${id}">${link}</a>\n`] : []
  );
  const body = markup`<header>
${titleSection(facts)}${leadSection(facts)}${
    warningLine(facts)
  }<nav aria-label="Parts of this page">
${links}</nav>
</header>
<main>
${sections.map(({ content }) => content)}
</main>
<footer>Made by Sluice ${facts.run.versions.sluice ?? ""}. This file is self-contained: it loads
nothing, and may be sent as it is.</footer>`;
  return document(facts.run.name, body).text;
}

interface Section {
  readonly id: string;
  readonly link: string;
  readonly content: Html | undefined;
}

function sectionsOf(facts: PageFacts, drawn: Drawn): Section[] {
  const { answer, certificate, played } = facts.report;
  const ofPrograms = answer !== undefined || facts.best.length > 0;
  const one = (id: string, link: string, content: Html | undefined) => ({ id, link, content });
  return [
    one("data", "Data", ofPrograms ? dataSection(facts, drawn) : undefined),
    one("questions", "Questions", answer && answersSection(answer, drawn)),
    one("played", "Played", playedSection(played)),
    one("curves", "Predictions", facts.best.length > 0 ? curvesSection(facts, drawn) : undefined),
    one("checks", "Checks", isPlayedOnly(facts) ? undefined : checksSection(facts, drawn)),
    one("influence", "Influence", ofPrograms ? influenceSection(facts, drawn) : undefined),
    one("warnings", "To decide", warningsSection(facts)),
    one("programs", "Programs", isPlayedOnly(facts) ? undefined : programsSection(facts)),
    one("proof", "Proof", proofSection(certificate, drawn)),
    one("reproduce", "Again", reproduceSection(facts)),
  ];
}

/** Whether agents played, and nothing else was asked. */
function isPlayedOnly({ report: { answer, certificate, played }, best }: PageFacts): boolean {
  return played !== undefined && !answer && !certificate && best.length === 0;
}

/** That there is something to decide stands beside the answer. */
function warningLine(facts: PageFacts): Html | undefined {
  const many = warningsOf(facts).length;
  if (many === 0) return undefined;
  const link = markup`<a href="#warnings">${counted(many, "thing")} to decide</a>`;
  return markup`<p class="how">${link} before this is quoted.</p>
`;
}

/** Only this style and this script are let in, by their digests. */
function document(title: string, body: Html): Html {
  const policy = [
    "default-src 'none'",
    `style-src '${digest(style)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}: what the data say</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
<script>${new Html(script)}</script>
</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
