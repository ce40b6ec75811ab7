import { parseDocument } from "yaml";
import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { compilePattern, estimateInstructions } from "@/lib/skill-format/arguments/args-schema";
import { parseJsonStrict, storableText } from "@/lib/skill-format/json-values";
import { type Diagnostic, JsonObject } from "@/lib/skill-format/schema";
import { requireVersion } from "@/lib/skills/version-access";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import { type EvalCase, EvalCheck, type VersionEvals } from "./schema";

const MAX_INSTRUCTIONS = 10_000;

/** Alternative names of `value` by kind, as other eval formats use them. */
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

const MAX_CASES = 100;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_DIAGNOSTICS = 50;
const MAX_DEPTH = 64;
const TOO_DEEP = "It is nested too deeply, or uses aliases.";
const EVAL_FILE = /^evals\/[^/]+\.(?:json|ya?ml)$/i;

type ReadEvals = { cases: EvalCase[]; diagnostics: Diagnostic[] };

type Parsed = { ok: true; value: unknown } | { ok: false; message: string; line?: number };

/** The cases of a version, with the text of their files. `not_found` like the version itself. */
export async function readVersionEvals(ctx: Ctx, skillId: string, digest: string): Promise<ReadEvals> {
  const { version } = await requireVersion(ctx, skillId, digest);
  if (!version.files.some(({ path }) => path.startsWith("evals/"))) return { cases: [], diagnostics: [] };
  return readEvals(await readVersionFiles(ctx, version));
}

/** Like `readVersionEvals`, for people: with paths instead of files. */
export async function getVersionEvals(ctx: Ctx, skillId: string, digest: string): Promise<VersionEvals> {
  requireScope(ctx.actor, "read");
  const { version } = await requireVersion(ctx, skillId, digest);
  const { cases, diagnostics } = await readVersionEvals(ctx, skillId, digest);
  return {
    versionDigest: version.digest,
    versionNumber: version.number,
    cases: cases.map((item) => ({ ...item, files: item.files.map(({ path }) => path) })),
    diagnostics,
  };
}

/**
 * The cases in a skill’s `evals/` folder: `{skill_name, evals: [{id, prompt, expected_output, files, expectations}]}`, or a list
 * of `{prompt, expected, checks}`. At most 100 cases of 64 KiB each, in files of 256 KiB. An unreadable case becomes a
 * diagnostic; never throws.
 */
export function readEvals(files: SkillFile[]): ReadEvals {
  const cases: EvalCase[] = [];
  const diagnostics: Diagnostic[] = [];
  const note = (path: string, message: string, line?: number) => {
    if (diagnostics.length >= MAX_DIAGNOSTICS) return;
    diagnostics.push({ code: "eval_unusable", severity: "warning", path, message, ...(line ? { line } : {}) });
  };
  const found = files.filter(({ path }) => EVAL_FILE.test(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of found) {
    const { path } = file;
    const parsed = parse(file);
    if (!parsed.ok) {
      note(path, parsed.message, parsed.line);
      continue;
    }
    const list = listOf(parsed.value);
    if (list === null) {
      note(path, "It is neither a list of cases nor an object with a list “evals”.");
      continue;
    }
    for (const [index, item] of list.entries()) {
      if (cases.length >= MAX_CASES) {
        note(path, `Only the first ${MAX_CASES} cases are run.`);
        break;
      }
      const read = readCase(item, { path, index, files, taken: new Set(cases.map(({ id }) => id)) });
      for (const message of read.problems) note(path, `Case ${index + 1}: ${message}`);
      if (read.found) cases.push(read.found);
    }
  }
  return { cases, diagnostics };
}

function parse({ path, bytes }: SkillFile): Parsed {
  if (bytes.length > MAX_FILE_BYTES) return { ok: false, message: `It is larger than ${MAX_FILE_BYTES / 1024} KiB.` };
  const text = decodeText(bytes);
  if (text === null) return { ok: false, message: "It is not UTF-8 text." };
  return /\.json$/i.test(path) ? parseJsonStrict(text) : parseYaml(text);
}

function parseYaml(text: string): Parsed {
  try {
    const document = parseDocument(text, {
      ...{ version: "1.2", schema: "core", merge: false, uniqueKeys: false },
      ...{ prettyErrors: false, logLevel: "error" },
    });
    const [error] = document.errors;
    if (error) {
      return { ok: false, message: error.message.slice(0, 200), line: text.slice(0, error.pos[0]).split("\n").length };
    }
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return isDeeper(value, MAX_DEPTH) ? { ok: false, message: TOO_DEEP } : { ok: true, value };
  } catch {
    // Too deep nesting overflows the stack; aliases could make a small file very large.
    return { ok: false, message: TOO_DEEP };
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  const inner = value !== null && typeof value === "object" ? (value as { evals?: unknown }).evals : null;
  return Array.isArray(inner) ? inner : null;
}

/** A case without checks gets a judged check from its expected output; without that it is rejected. */
function readCase(item: unknown, place: Place): ReadCase {
  const asObject = JsonObject.safeParse(item);
  const parsed = Raw.safeParse(asObject.success ? { ...asObject.data } : item);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "it";
    return { found: null, problems: [`${where} is missing or invalid.`] };
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
  // A case that lost a check could pass more easily than its author intended.
  if (problems.length > 0) return { found: null, problems };
  if (checks.length === 0) {
    if (expected === null) return { found: null, problems: ["it has no check and no expected output."] };
    checks.push({ kind: "judged", value: `The answer is what is expected: ${expected}` });
  }
  const files: EvalCase["files"] = [];
  for (const path of raw.files ?? []) {
    const text = readGiven(place.files, path);
    if (text === null) return { found: null, problems: [`its file “${path.slice(0, 200)}” is missing or not text.`] };
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

/** The path may be relative to the skill's folder or to `evals/`. */
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

/** A check, or a clause that says why it is invalid. */
function readCheck(given: unknown): EvalCheck | string {
  const raw = JsonObject.safeParse(given);
  if (!raw.success) return "it is not an object with a kind.";
  const kind = String(raw.data.kind ?? "").slice(0, 40);
  const names = Object.hasOwn(NAMES, kind) ? NAMES[kind] : undefined;
  if (names === undefined) return `there is no kind “${kind}”. Use one of ${Object.keys(NAMES).join(", ")}.`;
  const name = ["value", ...names].find((candidate) => Object.hasOwn(raw.data, candidate));
  if (name === undefined && kind !== "skill_used") return `it has no value.`;
  const value = name === undefined ? null : raw.data[name];
  const check = EvalCheck.safeParse({ kind, value });
  if (!check.success) return `${name ?? "value"} is invalid for ${kind}.`;
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
