import { z } from "zod";
import { decodeText } from "@/lib/skill-format/is-text";
import { JsonObject } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { storableText } from "@/lib/skill-format/storable-text";
import { readCheck } from "./read-check";
import type { EvalCase, EvalCheck } from "./schema";

/** A case with the files it names, in bytes. */
const MAX_CASE_BYTES = 64 * 1024;
const MAX_CHECKS = 50;
const MAX_ID = 100;

const Raw = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  name: z.string().optional(),
  prompt: z.string().refine((text) => text.trim() !== ""),
  expected: z.unknown().optional(),
  expected_output: z.unknown().optional(),
  files: z.array(z.string()).max(20).optional(),
  expectations: z.array(z.string()).max(MAX_CHECKS).optional(),
  checks: z.array(z.unknown()).max(MAX_CHECKS).optional(),
});

type Place = { path: string; index: number; files: SkillFile[]; taken: ReadonlySet<string> };
type ReadCase = { found: EvalCase | null; problems: string[] };

/**
 * One case, and what is wrong with it. Without a check of its own it is judged by what it expects; one that expects nothing
 * can neither pass nor fail and is no case.
 */
export function readCase(item: unknown, place: Place): ReadCase {
  const asObject = JsonObject.safeParse(item);
  const parsed = Raw.safeParse(asObject.success ? { ...asObject.data } : item);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "it";
    return { found: null, problems: [`${where} is missing or not what it has to be.`] };
  }
  const raw = parsed.data;
  const problems: string[] = [];
  const expected = textOf(raw.expected_output ?? raw.expected);
  const checks: EvalCheck[] = (raw.expectations ?? []).flatMap((value) =>
    value.trim() === "" ? [] : { kind: "judged" as const, value: storableText(value) },
  );
  for (const [index, given] of (raw.checks ?? []).entries()) {
    const check = readCheck(given);
    if (typeof check === "string") problems.push(`check ${index + 1}: ${check}`);
    else checks.push(check);
  }
  // A case that lost a check would pass more easily than its author meant.
  if (problems.length > 0) return { found: null, problems };
  if (checks.length === 0) {
    if (expected === null) return { found: null, problems: ["it expects nothing and has no check."] };
    checks.push({ kind: "judged", value: `The answer is what is expected: ${expected}` });
  }
  const files: EvalCase["files"] = [];
  for (const path of raw.files ?? []) {
    const text = readGiven(place.files, path);
    if (text === null) return { found: null, problems: [`its file “${path.slice(0, 200)}” is missing or no text.`] };
    files.push({ path, text });
  }
  const { path, index, taken } = place;
  const found = { id: nameOf(raw.id ?? raw.name, index, taken), path, prompt: storableText(raw.prompt), expected };
  const whole: EvalCase = { ...found, files, checks };
  if (Buffer.byteLength(JSON.stringify(whole)) > MAX_CASE_BYTES) {
    return { found: null, problems: [`it is larger than ${MAX_CASE_BYTES / 1024} KiB with its files.`] };
  }
  return { found: whole, problems };
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text === undefined || text.trim() === "" ? null : storableText(text);
}

/** Paths are those of the skill, or of the folder with the cases. */
function readGiven(files: SkillFile[], path: string): string | null {
  const file = [path, `evals/${path}`].map((wanted) => files.find((known) => known.path === wanted)).find(Boolean);
  const text = file && file.bytes.length <= MAX_CASE_BYTES ? decodeText(file.bytes) : null;
  return text === null ? null : storableText(text);
}

function nameOf(given: string | number | undefined, index: number, taken: ReadonlySet<string>): string {
  const name = storableText(String(given ?? index + 1)).slice(0, MAX_ID) || String(index + 1);
  let id = name;
  for (let copy = 2; taken.has(id); copy++) id = `${name} (${copy})`;
  return id;
}
