import { AppError } from "@/lib/core/errors";
import { assertUniquePaths, safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { checkQuality } from "@/lib/skill-format/manifest/check-quality";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { validateStrict } from "@/lib/skill-format/manifest/validate-strict";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { locateBlock } from "../frontmatter/locate-block";
import { bytesOf, type EditorFile, sizeOf } from "./editor-file";

export type CheckResult = { manifest: SkillManifest; diagnostics: Diagnostic[] };

/** What a version of an existing skill may not change. */
export type SkillName = { name: string; slug: string };

/**
 * Reads the files as the server will, in the browser. Errors are what it would refuse; warnings and notes are the reader's,
 * strict loaders' and advice. Files whose bytes are not here count as empty. The errors come first.
 */
export function checkFiles(files: readonly EditorFile[], skill: SkillName | null): CheckResult {
  const read: SkillFile[] = files.map((file) => ({ path: file.path, mode: file.mode, bytes: bytesOf(file) }));
  const folder = skill?.slug ?? "skill";
  const { manifest, diagnostics } = readSkill(read, { folder });
  const present = read.filter((_, index) => files[index]?.content.kind !== "stored");
  const all = [
    ...diagnostics,
    ...checkName(manifest, diagnostics, skill),
    ...checkStorable(files),
    ...checkStrict(read, skill?.slug ?? manifest.slug),
    ...checkQuality(read, manifest).filter(({ code, path }) => {
      return code !== "quality_not_executable" || present.some((file) => file.path === path);
    }),
  ];
  const lines = fieldLines(read);
  const placed = all.map((item) => (item.line === undefined ? { ...item, ...lineFor(item, lines) } : item));
  return { manifest, diagnostics: placed.sort((a, b) => rank(a) - rank(b)) };
}

function checkName(manifest: SkillManifest, found: Diagnostic[], skill: SkillName | null): Diagnostic[] {
  const message = (text: string): Diagnostic[] => [{ code: "name_changed", severity: "error", message: text }];
  if (skill && manifest.slug !== skill.slug) {
    return message(`The files name the skill “${manifest.name}”; a version keeps the name “${skill.name}”.`);
  }
  const isNameless = !skill && found.some(({ code }) => code === "name_inferred");
  return isNameless ? [{ code: "name_missing", severity: "error", message: "A new skill needs a name." }] : [];
}

function checkStorable(files: readonly EditorFile[]): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const add = (code: string, message: string, path?: string) =>
    diagnostics.push({ code, severity: "error", message, ...(path ? { path } : {}) });
  const paths = files.map(({ path }) => path);
  const isFine = paths.every(isSafe) && areUnique(paths);
  for (const file of files) {
    const problem = isFine
      ? null
      : pathProblem(
          file.path,
          paths.filter((path) => path !== file.path),
        );
    if (problem !== null) add("path_refused", problem, file.path);
    if (sizeOf(file) > MAX_FILE_BYTES) {
      add("file_too_large", `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`, file.path);
    }
  }
  if (files.length > MAX_SKILL_FILES) {
    add("files_too_many", `There are ${files.length} files; a skill has at most ${MAX_SKILL_FILES}.`);
  }
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (total > MAX_UNPACKED_BYTES) {
    add("files_too_large", `The files have ${total} bytes together; the limit is ${MAX_UNPACKED_BYTES}.`);
  }
  return diagnostics;
}

function areUnique(paths: string[]): boolean {
  try {
    assertUniquePaths(paths);
    return true;
  } catch {
    // Which of them it is, is asked one by one.
    return false;
  }
}

/** Why a path cannot be stored beside the others; null when it can. What is wrong among the others is not told here. */
export function pathProblem(path: string, others: readonly string[]): string | null {
  try {
    const safe = safePath(path);
    const rival = others.find((other) => isSafe(other) && !areUnique([other, safe]));
    if (rival !== undefined) assertUniquePaths([rival, safe]);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function isSafe(path: string): boolean {
  try {
    return safePath(path) === path;
  } catch {
    // It has a problem of its own, which is told at its own place.
    return false;
  }
}

/** Only a playbook is read by such loaders. */
function checkStrict(files: SkillFile[], folder: string): Diagnostic[] {
  if (!files.some(({ path }) => path.toLowerCase() === "skill.md")) return [];
  return validateStrict(folder, files).map((item) => ({
    ...item,
    severity: item.severity === "error" ? "warning" : "info",
    message: `Strict loaders: ${item.message}`,
  }));
}

/** Most of what is said of a field does not name its line; unknown fields stand where the first of them is. */
function lineFor({ code, path, message }: Diagnostic, lines: ReadonlyMap<string, number>): Partial<Diagnostic> {
  const main = lines.get("");
  if (main === undefined || (path !== undefined && path.toLowerCase() !== "skill.md")) return {};
  const named = ["description", "compatibility", "name"].find((word) => code.includes(word));
  const unknown =
    code === "strict_unexpected_fields" ? /frontmatter: ([^,]+?)(,|\. Only)/.exec(message)?.[1] : undefined;
  const key = named ?? unknown;
  return key === undefined ? {} : { line: lines.get(key) ?? main, path: path ?? "SKILL.md" };
}

function rank({ severity }: Diagnostic): number {
  return ["error", "warning", "info"].indexOf(severity);
}

/** The line in SKILL.md of each field of its frontmatter; under "" the first line. Empty without such a file. */
function fieldLines(files: readonly SkillFile[]): ReadonlyMap<string, number> {
  const file = files.find(({ path }) => path === "SKILL.md");
  if (!file) return new Map();
  const text = new TextDecoder().decode(file.bytes);
  const block = locateBlock(text);
  const mapping = block.kind === "found" ? parseYamlBlock(text.slice(block.start, block.end)) : null;
  const lines = mapping === null || isFailure(mapping) ? [] : mapping.lines;
  return new Map([["", 1], ...[...lines].map(([key, line]) => [key, line + 1] as const)]);
}
