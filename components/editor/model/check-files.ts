import { formatBytes } from "@/components/ui/format-bytes";
import { MAX_FILE_BYTES, MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { checkQuality } from "@/lib/skill-format/manifest/check-quality";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { validateStrict } from "@/lib/skill-format/manifest/validate-strict";
import type { Diagnostic, SkillManifest } from "@/lib/skill-format/schema";
import { locateBlock } from "../frontmatter/locate-block";
import { bytesOf, type EditorFile, sizeOf } from "./editor-file";
import { areUnique, isSafe, pathProblem } from "./path-problem";

export type CheckResult = { manifest: SkillManifest; diagnostics: Diagnostic[] };

export type SkillName = { name: string; slug: string };

/**
 * Checks the files in the browser as the server will. Errors are what the server refuses; warnings and notes come from the
 * parser, strict loaders and quality checks. Files that are not loaded count as empty. Errors come first.
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
    return message(`The files rename the skill to “${manifest.name}”. A version must keep the name “${skill.name}”.`);
  }
  const isNameless = !skill && found.some(({ code }) => code === "name_inferred");
  return isNameless ? [{ code: "name_missing", severity: "error", message: "Enter a name for the skill." }] : [];
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
    add("files_too_many", `The skill has ${files.length} files. The limit is ${MAX_SKILL_FILES}.`);
  }
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (total > MAX_UNPACKED_BYTES) {
    add(
      "files_too_large",
      `The files have ${formatBytes(total)} in total. The limit is ${formatBytes(MAX_UNPACKED_BYTES)}.`,
    );
  }
  return diagnostics;
}

/** Strict loaders read only playbooks. */
function checkStrict(files: SkillFile[], folder: string): Diagnostic[] {
  if (!files.some(({ path }) => path.toLowerCase() === "skill.md")) return [];
  return validateStrict(folder, files).map((item) => ({
    ...item,
    severity: item.severity === "error" ? "warning" : "info",
    message: plainly(item),
  }));
}

/** What the specification's own checks say, for authors. */
function plainly({ code, message }: Diagnostic): string {
  if (code === "strict_brackets")
    return "Some clients refuse a list in brackets. Write its items on lines of their own.";
  const unexpected = code === "strict_unexpected_fields" ? /frontmatter: (.*)\. Only/.exec(message)?.[1] : undefined;
  if (unexpected !== undefined) {
    return `Some clients refuse fields that the Agent Skills specification does not name: ${unexpected}. Move them below “metadata” for those.`;
  }
  return `Some clients refuse this: ${message}`;
}

/** Finds the line of a diagnostic that names a field but no line. */
function lineFor({ code, path, message }: Diagnostic, lines: ReadonlyMap<string, number>): Partial<Diagnostic> {
  const main = lines.get("");
  if (main === undefined || (path !== undefined && path.toLowerCase() !== "skill.md")) return {};
  const named = ["description", "compatibility", "name"].find((word) => code.includes(word));
  const unknown = code === "strict_unexpected_fields" ? /does not name: ([^,.]+)/.exec(message)?.[1] : undefined;
  const key = named ?? unknown;
  return key === undefined ? {} : { line: lines.get(key) ?? main, path: path ?? "SKILL.md" };
}

function rank({ severity }: Diagnostic): number {
  return ["error", "warning", "info"].indexOf(severity);
}

/** Line numbers of the frontmatter fields of SKILL.md, with 1 under "". Empty without the file. */
function fieldLines(files: readonly SkillFile[]): ReadonlyMap<string, number> {
  const file = files.find(({ path }) => path === "SKILL.md");
  if (!file) return new Map();
  const text = new TextDecoder().decode(file.bytes);
  const block = locateBlock(text);
  const mapping = block.kind === "found" ? parseYamlBlock(text.slice(block.start, block.end)) : null;
  const lines = mapping === null || isFailure(mapping) ? [] : mapping.lines;
  return new Map([["", 1], ...[...lines].map(([key, line]) => [key, line + 1] as const)]);
}
