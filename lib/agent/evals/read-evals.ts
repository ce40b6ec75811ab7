import { parseDocument } from "yaml";
import { decodeText } from "@/lib/skill-format/is-text";
import { parseJsonStrict } from "@/lib/skill-format/parse-json-strict";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { readCase } from "./read-case";
import type { EvalCase } from "./schema";

const MAX_CASES = 100;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_DIAGNOSTICS = 50;
const MAX_DEPTH = 64;
const TOO_DEEP = "It is nested too deeply, or uses aliases.";
const EVAL_FILE = /^evals\/[^/]+\.(?:json|ya?ml)$/i;

export type ReadEvals = { cases: EvalCase[]; diagnostics: Diagnostic[] };

/**
 * The cases in a skill’s `evals/` folder: `{skill_name, evals: [{id, prompt, expected_output, files, expectations}]}`, or a
 * plain list of `{prompt, expected, checks}`. At most 100 cases of 64 KiB each, in files of 256 KiB. What cannot be read is a
 * diagnostic and no case; never throws.
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

type Parsed = { ok: true; value: unknown } | { ok: false; message: string; line?: number };

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
    // A stack that is too deep, and names for values that are used again, which could make a small file a large one.
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
