import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readFolderArgument } from "@/lib/core/command-line";
import type { Stage } from "./frontmatter/repair-frontmatter";
import { hasLabelledDescription, readSkill } from "./manifest/read-skill";
import { readSkillMd } from "./manifest/read-skill-md";

const SKIPPED = new Set([".git", "node_modules"]);

const args = readFolderArgument("corpus");
if (args !== null) {
  const files = findSkillFiles(args.folder, (path) => console.error(`unreadable, skipped: ${path}`));
  const count = countOutcomes(files);
  console.log(args.json ? JSON.stringify(count) : formatTable(count));
  if (count.exceptions > 0) process.exitCode = 1;
}

function formatTable(count: CorpusCount): string {
  const { recovered, msPerFile } = count;
  const rows: [string, number][] = [
    ["files", count.files],
    ["strict", count.strict],
    ["S1 repeated keys", recovered.S1],
    ["S2 colon in a value quoted", recovered.S2],
    ["S3 other value repaired", recovered.S3],
    ["S4 other end of the frontmatter", recovered.S4],
    ["S5 field by field", recovered.S5],
    ["S6 hidden or unfenced frontmatter", recovered.S6],
    ["inferred from the body", count.inferred],
    ["unusable", count.unusable],
    ["exceptions", count.exceptions],
    ["with an explicit name", count.withName],
    ["with an explicit description", count.withDescription],
  ];
  const lines = rows.map(([label, number]) => {
    const share = count.files === 0 ? "" : `${((number / count.files) * 100).toFixed(2)} %`;
    return `${label.padEnd(36)}${String(number).padStart(8)}${share.padStart(11)}`;
  });
  return [...lines, `${"milliseconds per file".padEnd(36)}${String(msPerFile).padStart(8)}`].join("\n");
}

/** Every SKILL.md (any letter case) below a folder; without any, every `.md` file. Does not follow links. */
export function* findSkillFiles(root: string, onUnreadable: (path: string) => void = () => {}): Generator<CorpusFile> {
  const paths = listMarkdown(root, onUnreadable);
  const skills = paths.filter((path) => /^skill\.md$/i.test(basename(path)));
  for (const path of (skills.length > 0 ? skills : paths).sort()) {
    const folder = skills.length > 0 ? basename(join(path, "..")) : basename(path).replace(/\.md$/i, "");
    const bytes = orNull(() => readFileSync(path));
    if (bytes === null) onUnreadable(path);
    else yield { folder, bytes: new Uint8Array(bytes) };
  }
}

function listMarkdown(folder: string, onUnreadable: (path: string) => void): string[] {
  const entries = orNull(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === null) onUnreadable(folder);
  return (entries ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listMarkdown(path, onUnreadable);
    return entry.isFile() && /\.md$/i.test(entry.name) ? [path] : [];
  });
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Each file is counted in exactly one of strict, recovered, inferred, unusable, exceptions. */
type CorpusCount = {
  files: number;
  /** The frontmatter is valid and has a description. */
  strict: number;
  /** It has a description after repairs, counted by the last stage. */
  recovered: Record<Stage, number>;
  /** The description was taken from the body. */
  inferred: number;
  /** No description was found. */
  unusable: number;
  exceptions: number;
  /** Files with an explicit name, in any readable form. */
  withName: number;
  /** Files with an explicit description, in any readable form. */
  withDescription: number;
  /** CPU time, so that other programs do not count. */
  msPerFile: number;
};

type CorpusFile = { folder: string; bytes: Uint8Array };

/** Reads each file as a skill and counts the outcomes. Times only the reading. */
export function countOutcomes(files: Iterable<CorpusFile>): CorpusCount {
  const count: CorpusCount = {
    ...{ files: 0, strict: 0, recovered: { S1: 0, S2: 0, S3: 0, S4: 0, S5: 0, S6: 0 } },
    ...{ inferred: 0, unusable: 0, exceptions: 0, withName: 0, withDescription: 0, msPerFile: 0 },
  };
  let totalMicros = 0;
  for (const file of files) {
    count.files += 1;
    const start = process.cpuUsage();
    try {
      addOutcome(count, file);
    } catch {
      // The reader promises to throw none; this count verifies it.
      count.exceptions += 1;
    }
    const { user, system } = process.cpuUsage(start);
    totalMicros += user + system;
  }
  count.msPerFile = count.files === 0 ? 0 : Math.round(totalMicros / count.files) / 1000;
  return count;
}

function addOutcome(count: CorpusCount, { folder, bytes }: CorpusFile): void {
  const file = { path: "SKILL.md", mode: "644" as const, bytes };
  const { manifest, diagnostics } = readSkill([file], { folder });
  const codes = new Set(diagnostics.map((diagnostic) => diagnostic.code));
  const said = manifest.description !== "" && !codes.has("description_inferred");
  if (!codes.has("name_inferred")) count.withName += 1;
  if (said || hasLabelledDescription(manifest.body)) count.withDescription += 1;
  if (manifest.description === "") count.unusable += 1;
  else if (!said) count.inferred += 1;
  else if (!codes.has("dropped_by_strict_loaders")) count.strict += 1;
  else {
    const { stage } = readSkillMd(file);
    if (stage === "strict" || stage === "none") count.strict += 1;
    else count.recovered[stage] += 1;
  }
}
