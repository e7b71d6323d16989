/** Gives what a stage found wrong its place in the pipeline file. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../base/span.ts";
import type { ResolvedStage } from "./resolved.ts";

/**
 * A finding with the place of the parameter that it is about: named by `param`, or as the file of a
 * span, which then counts from the beginning of the parameter's text. With `always`, one without a
 * place gets that of the stage.
 */
export function locatedFinding(
  diagnostic: Diagnostic,
  stage: ResolvedStage,
  which?: "always",
): Diagnostic {
  const { span, param, ...rest } = diagnostic;
  const place = param && stage.placeOf?.(param);
  if (place) return { ...rest, span: place };
  if (span) return { ...rest, span: inParameter(span, stage) };
  return { ...rest, ...(which && stage.span && { span: stage.span }) };
}

/** `formula:1:9` is the ninth letter of the parameter `formula`, where that is written on one line. */
function inParameter(span: Span, stage: ResolvedStage): Span {
  const value = stage.rawParams[span.file];
  const place = typeof value === "string" ? stage.placeOf?.([span.file]) : undefined;
  if (!place) return span;
  const isPlain = place.line === place.endLine && span.line === 1 && !/["\\]/.test(`${value}`);
  if (!isPlain) return place;
  const length = span.endColumn - span.column;
  return lineSpan(place.file, place.line, place.column + span.column, length);
}
