import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFolderArgument } from "@/lib/core/command-line";
import { printable, printableJson } from "@/lib/core/printable-text";
import { MAX_FILE_BYTES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { ALL_RULES } from "../rules/all-rules";
import type { Unread } from "./findings";
import { scanFiles } from "./scan-files";
import { type Finding, RuleInfo, type Severity } from "./schema";

const MAX_FILES = 2_000;

const MAX_DEPTH = 40;

type FoundFile = { path: string; absolute: string; mode: "644" | "755"; size: number };

/** `skill` is the path below the searched folder, `.` for the folder itself. */
type FoundSkill = { skill: string; files: FoundFile[]; unread: Unread[] };

const SEVERITIES: Severity[] = ["critical", "high", "medium", "info"];

const args = readFolderArgument("scan");
if (args !== null) await scanFolder(args.folder, args.json);

async function scanFolder(root: string, json: boolean): Promise<void> {
  const startedMs = performance.now();
  const scanned: ScannedSkill[] = [];
  for (const found of findSkills(root)) {
    const { files, unread } = readSkillFiles(found);
    const { findings } = await scanFiles(files, { unread });
    scanned.push({
      skill: found.skill,
      findings: findings.map(({ rule, severity, path, line, text }) => ({ rule, severity, path, line, text })),
    });
  }
  console.log(json ? printableJson(scanned) : formatReport(scanned, performance.now() - startedMs));
}

/** A table of findings per rule, the severe findings one by one, and the limits of the figures. */
function formatReport(scanned: ScannedSkill[], durationMs: number): string {
  const strong = scanned.flatMap(({ skill, findings }) =>
    findings
      .filter(({ severity }) => severity === "critical" || severity === "high")
      .map(({ rule, severity, path, line, text }) =>
        printable(`${severity.padEnd(9)}${rule}  ${skill}/${path}:${line}  ${text.slice(0, 160)}`),
      ),
  );
  return [
    ...strong,
    "",
    ["rule", "title", "skills", ...SEVERITIES].map(cell).join(""),
    ...tableOf(scanned),
    "",
    `${scanned.length} skills in ${(durationMs / 1000).toFixed(1)} s. Findings show where to look. A skill without findings is not necessarily harmless.`,
  ].join("\n");
}

function tableOf(scanned: ScannedSkill[]): string[] {
  return listRules().flatMap(({ id, title }) => {
    const counts = SEVERITIES.map((severity) =>
      scanned.reduce(
        (sum, { findings }) =>
          sum + findings.filter((finding) => finding.rule === id && finding.severity === severity).length,
        0,
      ),
    );
    const skills = scanned.filter(({ findings }) => findings.some(({ rule }) => rule === id)).length;
    return skills === 0 ? [] : [[id, title, skills, ...counts].map(cell).join("")];
  });
}

function cell(value: string | number, column: number): string {
  if (column === 0) return String(value).padEnd(9);
  return column === 1 ? String(value).padEnd(52) : String(value).padStart(9);
}

type ScannedSkill = { skill: string; findings: Pick<Finding, "rule" | "severity" | "path" | "line" | "text">[] };

/** All rules as the API shows them, in order of id. */
export function listRules(): RuleInfo[] {
  return ALL_RULES.map((rule) => RuleInfo.parse(rule));
}

/** The skills below a folder, without their bytes. Links and unreadable files are listed as `unread`. */
export function findSkills(root: string): FoundSkill[] {
  const skills: FoundSkill[] = [];
  walk(root, "", null, 0, skills);
  return skills.sort((a, b) => (a.skill < b.skill ? -1 : a.skill > b.skill ? 1 : 0));
}

function walk(
  folder: string,
  relative: string,
  outer: { skill: FoundSkill; prefix: string } | null,
  depth: number,
  skills: FoundSkill[],
): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    outer?.skill.unread.push({
      path: below(outer.prefix, relative),
      text: `The folder cannot be read: ${codeOf(error)}.`,
    });
    return;
  }
  let owner = outer;
  if (entries.some((entry) => /^skill\.md$/i.test(entry.name) && !entry.isDirectory())) {
    const skill = { skill: relative === "" ? "." : relative, files: [], unread: [] };
    skills.push(skill);
    owner = { skill, prefix: relative };
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const absolute = join(folder, entry.name);
    const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name === ".git") continue;
      if (depth < MAX_DEPTH) walk(absolute, path, owner, depth + 1, skills);
      else
        owner?.skill.unread.push({
          path: below(owner.prefix, path),
          text: `Folders are nested deeper than ${MAX_DEPTH} levels.`,
        });
    } else if (owner !== null) addFile(owner.skill, below(owner.prefix, path), absolute, entry);
  }
}

function addFile(skill: FoundSkill, path: string, absolute: string, entry: Dirent): void {
  try {
    if (entry.isSymbolicLink()) skill.unread.push({ path, text: "The file is a link. Links are not followed." });
    else if (!entry.isFile()) skill.unread.push({ path, text: "This is not a regular file." });
    else if (skill.files.length >= MAX_FILES)
      skill.unread.push({ path, text: `There are more than ${MAX_FILES} files.` });
    else {
      const { mode, size } = lstatSync(absolute);
      skill.files.push({ path, absolute, mode: (mode & 0o111) === 0 ? "644" : "755", size });
    }
  } catch (error) {
    skill.unread.push({ path, text: `The file cannot be read: ${codeOf(error)}.` });
  }
}

/** Reads the files of one skill, at most 5 MiB each and 50 MiB in all; larger ones are listed as `unread`. */
export function readSkillFiles({ files: found, unread: known }: FoundSkill): { files: SkillFile[]; unread: Unread[] } {
  const files: SkillFile[] = [];
  const unread = [...known];
  let left = MAX_UNPACKED_BYTES;
  for (const { path, absolute, mode, size } of found) {
    if (size > MAX_FILE_BYTES || size > left) {
      const limit =
        size > MAX_FILE_BYTES ? `${MAX_FILE_BYTES} bytes for a file` : `${MAX_UNPACKED_BYTES} bytes for a skill`;
      unread.push({ path, text: `The file has ${size} bytes, more than the scan reads (${limit}).` });
      continue;
    }
    try {
      const bytes = new Uint8Array(readFileSync(absolute));
      files.push({ path, mode, bytes });
      left -= bytes.length;
    } catch (error) {
      unread.push({ path, text: `The file cannot be read: ${codeOf(error)}.` });
    }
  }
  return { files, unread };
}

function below(prefix: string, path: string): string {
  return prefix === "" ? path : path.slice(prefix.length + 1) || ".";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
