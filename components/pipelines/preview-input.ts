import type { StepInput } from "@/lib/skill-format/pipeline-flow";
import { parseTemplate, renderTemplate } from "@/lib/skill-format/pipeline-template";

const shownAtMost = 400;

/**
 * What a step gets for one argument, as text: the value with the given arguments of the pipeline in it; when it needs others,
 * or results of steps, the text around their names. Null when there is nothing but such a name.
 */
export function previewInput(
  { argument, value, isWhole }: StepInput,
  args: Readonly<Record<string, unknown>>,
): string | null {
  const parsed = parseTemplate(JSON.stringify({ [argument]: value }));
  if (!parsed.ok) return cut(textOf(value));
  const known = new Map(Object.entries(args));
  const filled = renderTemplate(parsed.template, known);
  if (filled.ok) return cut(textOf(filled.args[argument]));
  if (isWhole) return null;
  for (const name of filled.unknown) known.set(name, `{${name}}`);
  const partly = renderTemplate(parsed.template, known);
  return cut(textOf(partly.ok ? partly.args[argument] : value));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function cut(text: string): string {
  return text.length > shownAtMost ? `${text.slice(0, shownAtMost)}…` : text;
}
