import { z } from "zod";
import { compilePattern, estimateInstructions } from "@/lib/skill-format/compile-pattern";
import { JsonObject } from "@/lib/skill-format/schema";
import { EvalCheck } from "./schema";

const MAX_INSTRUCTIONS = 10_000;

/** Other names for `value`, by kind: a reader of a case expects the one that says what it is. */
const NAMES: Record<string, string[]> = {
  contains: ["text"],
  not_contains: ["text"],
  regex: ["pattern", "regex"],
  json_equals: ["json", "expected"],
  tool_called: ["tool", "name"],
  skill_used: ["skill", "name"],
  max_steps: ["steps", "max"],
  judged: ["statement", "text"],
};

const Steps = z.number().int().min(1).max(1_000);

/** A check, or in half a sentence why it is none. */
export function readCheck(given: unknown): EvalCheck | string {
  const raw = JsonObject.safeParse(given);
  if (!raw.success) return "it is not an object with a kind.";
  const kind = String(raw.data.kind ?? "").slice(0, 40);
  const names = Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined;
  if (names === undefined) return `there is no kind “${kind}”; there are ${Object.keys(NAMES).join(", ")}.`;
  const name = ["value", ...names].find((candidate) => Object.hasOwn(raw.data, candidate));
  if (name === undefined && kind !== "skill_used") return `it has no value.`;
  const value = name === undefined ? null : raw.data[name];
  const check = EvalCheck.safeParse({ kind, value });
  if (!check.success) return `${name ?? "value"} is not what ${kind} takes.`;
  if (check.data.kind === "max_steps" && !Steps.safeParse(value).success) return "max_steps takes 1 to 1,000.";
  if (check.data.kind !== "regex") return value === "" ? "its value is empty." : check.data;
  return whyNoPattern(check.data.value) ?? check.data;
}

function whyNoPattern(source: string): string | null {
  if (source === "") return "its pattern is empty.";
  if (estimateInstructions(source) > MAX_INSTRUCTIONS) return "its pattern is too large.";
  try {
    return compilePattern(source).instructions > MAX_INSTRUCTIONS ? "its pattern is too large." : null;
  } catch (error) {
    return `its pattern cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "no reason is known"}`;
  }
}
