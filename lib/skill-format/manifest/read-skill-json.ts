import { AppError } from "@/lib/core/errors";
import { safePath } from "@/lib/skill-format/archive/archive-entry";
import { decodeText } from "@/lib/skill-format/archive/decode-text";
import { MAX_SKILL_JSON_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { applyDialects } from "@/lib/skill-format/dialects/apply-dialects";
import { definedFields, type SkillPart } from "@/lib/skill-format/dialects/dialect";
import { openclawTopLevel } from "@/lib/skill-format/dialects/tables";
import { readList } from "@/lib/skill-format/dialects/value-readers";
import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import { isMapping, parseJsonStrict } from "@/lib/skill-format/json-values";
import { type Diagnostic, type JsonObject, type SkillClass, skillClassOf } from "@/lib/skill-format/schema";

const PATH = "skill.json";
const MAX_ENV_NAMES = 100;
const TABLES = [openclawTopLevel];
const MAX_TIMEOUT_SECONDS = 86_400;
/** The interface shows them as the skill's icon, from `meta`. */
const ICON_FIELDS = new Set(["emoji", "icon"]);

/**
 * Reads a pack's `skill.json`. Never throws: missing and wrong fields become diagnostics, of severity error when the
 * pack cannot run. `timeout_seconds` of zero or less means the default. Packs always run on the manager, so `scope` is
 * ignored.
 */
export function readSkillJson(file: SkillFile, files: SkillFile[]): SkillPart {
  const text = file.bytes.length > MAX_SKILL_JSON_BYTES ? null : decodeText(file.bytes);
  if (text === null) {
    return file.bytes.length > MAX_SKILL_JSON_BYTES
      ? unreadable("json_too_large", `The file is larger than ${MAX_SKILL_JSON_BYTES} bytes.`)
      : unreadable("not_utf8", "The file is not UTF-8 text.");
  }
  const json = parseJsonStrict(text);
  if (!json.ok) return unreadable("json_invalid", `The file is not valid JSON: ${json.message}.`, json.line);
  if (!isMapping(json.value)) return unreadable("json_invalid", "The file is not a JSON object.", 1);
  const values = json.value;
  const taker = takeFields(values);
  const fields = readFields(taker, files);
  const { rest: meta, report } = taker;
  const unknown = Object.keys(meta).filter((key) => !ICON_FIELDS.has(key));
  for (const key of unknown) report("info", "field_unknown", `"${key}" is kept but not used.`);
  for (const key of json.droppedKeys)
    report("warning", "key_dropped", `The key "${key}" is not allowed and was removed.`);
  // The other fields of these tables do not apply to packs.
  const { emoji: _emoji, install: _install, ...others } = values;
  const required = applyDialects({ values: others }, { path: PATH }, TABLES);
  return {
    fields: { ...definedFields(fields), ...required.fields },
    meta,
    diagnostics: [...taker.reported, ...taker.mistyped, ...required.diagnostics],
  };
}

/** Reads a pack's fields one by one; fields that are never read or of the wrong type stay in `rest`. */
type FieldTaker = ReturnType<typeof takeFields>;

function takeFields(values: JsonObject) {
  const rest = { ...values };
  const reported: Diagnostic[] = [];
  const mistyped: Diagnostic[] = [];
  const take = <T>(key: string, expected: string, read: (value: unknown) => T | null): T | null => {
    const value = values[key];
    const isSet = value !== undefined && value !== null && value !== "";
    const found = isSet ? read(value) : null;
    if (!isSet || found !== null) delete rest[key];
    else keepInRest(key, "field_type", `"${key}" must be ${expected}. The value is kept but not used.`);
    return found;
  };
  const keepInRest = (key: string, code: string, message: string) => {
    rest[key] = values[key];
    mistyped.push({ code, severity: "warning", path: PATH, message });
  };
  return {
    ...{ rest, reported, mistyped, keepInRest },
    text: (key: string) => take(key, "a text", textOf),
    list: (key: string) => take(key, "a list of texts", readList),
    map: (key: string) => take(key, "a mapping", (value) => (isMapping(value) ? value : null)),
    any: (key: string): unknown => take(key, "", (value) => ({ value }))?.value,
    report: (severity: Diagnostic["severity"], code: string, message: string) =>
      void reported.push({ code, severity, path: PATH, message }),
  };
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")
    ? value.join(", ")
    : null;
}

function unreadable(code: string, message: string, line?: number): SkillPart {
  const diagnostic: Diagnostic = { code, severity: "error", path: PATH, ...(line && { line }), message };
  return { fields: {}, meta: {}, diagnostics: [diagnostic] };
}

function readFields(taker: FieldTaker, files: SkillFile[]) {
  const name = requireText("name", taker);
  if (name !== null && !/^[a-z0-9_]+$/.test(name)) {
    taker.report("error", "name_invalid", `The name "${name}" may contain only a-z, 0-9 and _.`);
  }
  const scope = taker.text("scope");
  if (scope !== null && scope !== "manager") {
    taker.keepInRest("scope", "scope_ignored", "A pack always runs on the manager. Its scope is not used.");
  }
  return {
    name,
    toolName: name,
    description: requireText("description", taker),
    entry: readEntry(taker, files),
    schema: readSchema(taker),
    envAllow: readEnvAllow(taker),
    timeoutSeconds: readTimeout(taker),
    declaredClass: readClass(taker),
    category: taker.text("category"),
    resultPreview: taker.text("result_preview"),
    label: taker.text("label"),
    version: taker.text("version"),
    author: taker.text("author"),
    signature: taker.text("signature"),
    tags: taker.list("tags"),
    requires: taker.map("requires"),
    depends: taker.list("depends"),
  };
}

function requireText(key: "name" | "description" | "entry", taker: FieldTaker): string | null {
  const text = taker.text(key)?.trim() ?? "";
  if (text === "") taker.report("error", `${key}_missing`, `"${key}" is required.`);
  return text === "" ? null : text;
}

function readEntry(taker: FieldTaker, files: SkillFile[]): string | null {
  const raw = requireText("entry", taker);
  if (raw === null) return null;
  const { entry, problem } = findEntry(raw, files);
  if (problem !== null) taker.report("error", problem.code, problem.message);
  return entry;
}

function readSchema(taker: FieldTaker): JsonObject {
  const empty = { type: "object", properties: {} };
  const schema = taker.any("schema");
  if (schema === undefined) return empty;
  if (!isMapping(schema)) {
    taker.report("error", "schema_invalid", `"schema" must be a JSON Schema object.`);
    return empty;
  }
  for (const { path, message } of schemaErrorsAt("schema", schema)) {
    taker.report("error", "schema_invalid", `${path}: ${message}`);
  }
  return schema;
}

function readEnvAllow(taker: FieldTaker): string[] {
  const names = [...new Set(taker.list("env_allow")?.map((name) => name.trim()))].filter((name) => name !== "");
  const allowed = names.filter((name) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      taker.report("warning", "env_invalid", `"${name}" is not a valid environment variable name and was removed.`);
      return false;
    }
    if (isDeniedEnv(name)) {
      const message = `The environment variable ${name} is never passed to skills and was removed.`;
      taker.report("warning", "env_denied", message);
      return false;
    }
    return true;
  });
  if (allowed.length > MAX_ENV_NAMES) {
    taker.report("warning", "env_too_many", `Only the first ${MAX_ENV_NAMES} names of "env_allow" are used.`);
  }
  return allowed.slice(0, MAX_ENV_NAMES);
}

function readTimeout(taker: FieldTaker): number | null {
  const value = taker.any("timeout_seconds");
  if (value === undefined) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    taker.keepInRest("timeout_seconds", "field_type", '"timeout_seconds" must be a number. The default is used.');
    return null;
  }
  if (value > MAX_TIMEOUT_SECONDS) {
    taker.report("warning", "timeout_capped", `"timeout_seconds" was reduced to ${MAX_TIMEOUT_SECONDS}.`);
  }
  return value <= 0 ? null : Math.min(value, MAX_TIMEOUT_SECONDS);
}

function readClass(taker: FieldTaker): SkillClass | null {
  const value = taker.any("class");
  if (value === undefined) return null;
  const found = typeof value === "string" ? skillClassOf(value) : null;
  if (found === null) {
    taker.report("error", "class_invalid", `The class ${JSON.stringify(value)} must be safe, mutating or dangerous.`);
  }
  return found;
}

type FoundEntry = { entry: string | null; problem: { code: string; message: string } | null };

/**
 * Finds the file that `entry` names: a relative path (leading `./` removed) to a file of mode 755. An absolute path
 * means the file with the longest matching path suffix, because a worker includes an entry from elsewhere in the
 * operator's folder. Otherwise returns a `problem`; `entry` is then null unless the file exists.
 */
function findEntry(raw: string, files: SkillFile[]): FoundEntry {
  const given = raw.trim();
  const path = given.startsWith("/") ? longestSuffix(given, files) : insidePath(given.replace(/^(\.\/+)+/, ""));
  if (path === null) {
    return refuse("entry_outside", `The entry "${raw}" must be a path inside the skill's folder.`);
  }
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) {
    return files.some((candidate) => candidate.path.startsWith(`${path}/`))
      ? refuse("entry_is_directory", `The entry "${path}" is a folder.`)
      : refuse("entry_missing", `The entry "${path}" is not among the skill's files.`);
  }
  if (file.mode === "755") return { entry: path, problem: null };
  const message = `The entry "${path}" is not executable (mode ${file.mode}). Set its mode to 755.`;
  return { entry: path, problem: { code: "entry_not_executable", message } };
}

function refuse(code: string, message: string): FoundEntry {
  return { entry: null, problem: { code, message } };
}

function longestSuffix(path: string, files: SkillFile[]): string | null {
  const paths = new Set(files.map((file) => file.path));
  const segments = path.split("/").slice(1);
  return segments.map((_, index) => segments.slice(index).join("/")).find((end) => paths.has(end)) ?? null;
}

function insidePath(path: string): string | null {
  try {
    return safePath(path.replace(/\/+$/, ""));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
