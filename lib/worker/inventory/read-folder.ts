import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { assertUniquePaths, safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { InventoryItem } from "../protocol";
import { type FolderFile, isInside, type SkillFolder, type SkillRoot } from "./find-folders";

/** Larger files are not parsed, to keep the worker small. */
const MAX_READ_BYTES = 256 * 1024;

export type FoundSkill = {
  item: InventoryItem;
  name: string;
  slug: string;
  what: "subprocess skill" | "pipeline" | "skill";
  marker: string;
  hasClass: boolean;
  sources: Map<string, string>;
  /** Path of its entry, if that is outside of its folder. */
  elsewhere: string | null;
};

export type ReadFolder = { skill: FoundSkill } | { path: string; problem: string };

/** Reads and hashes one folder as an inventory item; or returns the problem, as the log reports it. */
export async function readFolder(root: SkillRoot, folder: SkillFolder): Promise<ReadFolder> {
  const marker = join(folder.path, markerOf(folder.files) ?? "skill.json");
  try {
    const { files, expected, elsewhere } = await collect(root, folder);
    const bytes = await Promise.all(files.map(readOne));
    const skillFiles: SkillFile[] = bytes.map(({ path, mode, shown }) => ({ path, mode, bytes: shown }));
    const { manifest, diagnostics } = readSkill(skillFiles, { folder: basename(folder.path) });
    const wrong = diagnostics.find(({ severity }) => severity === "error");
    if (wrong) return { path: marker, problem: describeDiagnostic(wrong, manifest.name, marker) };
    if (expected !== null && manifest.entry !== expected) {
      return {
        path: marker,
        problem: `build "${manifest.name}": entry ${expected} cannot be told from ${manifest.entry}`,
      };
    }
    const item = {
      kind: root.kind,
      root: root.path,
      path: folder.path,
      files: bytes.map(({ path, mode, sha256, size }) => ({ path, mode, sha256, size })),
    };
    const own = manifest.kind === "pack" ? folder.files : folder.files.filter(({ path }) => path !== "skill.json");
    const what = { pack: "subprocess skill", pipeline: "pipeline", playbook: "skill" } as const;
    const skill: FoundSkill = {
      ...{
        item,
        marker: join(folder.path, markerOf(own) ?? "SKILL.md"),
        name: manifest.name,
        slug: manifest.slug,
        what: what[manifest.kind],
      },
      hasClass: manifest.kind !== "pack" || manifest.declaredClass !== null,
      sources: new Map(bytes.map(({ sha256, source }) => [sha256, source])),
      elsewhere,
    };
    return { skill };
  } catch (error) {
    if (error instanceof Refused) return { path: marker, problem: error.message };
    const { code, message } = error as NodeJS.ErrnoException;
    const isOurs = error instanceof AppError || code === undefined;
    return { path: marker, problem: `parse ${marker}: ${isOurs ? message : `a file cannot be read (${code})`}` };
  }
}

class Refused extends Error {}

async function collect(
  root: SkillRoot,
  folder: SkillFolder,
): Promise<{ files: FolderFile[]; expected: string | null; elsewhere: string | null }> {
  const files = [...folder.files];
  const entry = await declaredEntry(files);
  let expected: string | null = null;
  let elsewhere: string | null = null;
  if (entry !== null) {
    const settled = await resolveEntry(root, folder, entry.path);
    const build = `build "${entry.name}": entry ${settled.kind === "fine" ? "" : settled.entry}`;
    if (settled.kind === "escapes") throw new Refused(`${build} escapes allowlist root ${root.path}`);
    if (settled.kind === "outside") {
      throw new Refused(`${build} lies outside of the skill's folder; name it by its absolute path`);
    }
    expected = settled.expected;
    const twin = files.find((file) => file.path === settled.copy?.path);
    if (settled.copy && twin && twin.source !== settled.copy.source) {
      throw new Refused(`build "${entry.name}": the folder has another file ${settled.copy.path} than its entry`);
    }
    if (settled.copy && !twin) files.push(settled.copy);
    elsewhere = settled.copy?.source ?? null;
  }
  if (files.length > MAX_SKILL_FILES) throw new AppError("too_large", `it has more than ${MAX_SKILL_FILES} files`);
  const safe = files.map((file) => ({ ...file, path: safePath(file.path) }));
  assertUniquePaths(safe.map(({ path }) => path));
  const sizes = await Promise.all(safe.map(({ source }) => stat(source).then(({ size }) => size)));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MAX_UNPACKED_BYTES)
    throw new AppError("too_large", `its files have more than ${MAX_UNPACKED_BYTES} bytes`);
  return { files: safe.sort((a, b) => (a.path < b.path ? -1 : 1)), expected, elsewhere };
}

/** Entry and name from the pack's own file; null when there is none, or the reader will report an error anyway. */
async function declaredEntry(files: FolderFile[]): Promise<{ path: string; name: string } | null> {
  const manifest = files.find((file) => file.path === "skill.json");
  if (!manifest || (await stat(manifest.source)).size > MAX_READ_BYTES) return null;
  try {
    const values: unknown = JSON.parse(await readFile(manifest.source, "utf8"));
    if (typeof values !== "object" || values === null || !("entry" in values)) return null;
    const isAlone = !files.some(({ path }) => path !== "skill.json" && !path.includes("/") && isSkillMarker(path));
    if (!isAlone && !("name" in values && "description" in values)) return null;
    const name = "name" in values && typeof values.name === "string" ? values.name : basename(dirname(manifest.source));
    const path = typeof values.entry === "string" ? values.entry.trim() : "";
    return path === "" ? null : { path, name };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function readOne({ path, source }: FolderFile) {
  const { size, mode } = await stat(source);
  if (size > MAX_FILE_BYTES) throw new AppError("too_large", `${path} is larger than ${MAX_FILE_BYTES} bytes`);
  const bytes = await readFile(source);
  return {
    ...{ path, source, size: bytes.length, sha256: sha256Hex(bytes) },
    mode: mode & 0o111 ? ("755" as const) : ("644" as const),
    shown: bytes.length > MAX_READ_BYTES ? new Uint8Array() : new Uint8Array(bytes),
  };
}

function describeDiagnostic({ code, message, line }: Diagnostic, name: string, marker: string): string {
  if (code.startsWith("entry_")) return `build "${name}": ${message}`;
  return `parse ${marker}: ${message}${line ? ` (line ${line})` : ""}`;
}

function markerOf(files: FolderFile[]): string | undefined {
  const paths = files.map((file) => file.path);
  return (
    paths.find((path) => path === "skill.json") ??
    paths.find((path) => /^skill\.md$/i.test(path)) ??
    paths.find((path) => path === "skill.toml")
  );
}

type ResolvedEntry =
  | { kind: "escapes"; entry: string }
  | { kind: "outside"; entry: string }
  /** `expected`: the path that the reader has to find it by; `copy`: a file from outside the folder. */
  | { kind: "fine"; expected: string | null; copy: FolderFile | null };

/**
 * Resolves the entry of a pack, including symbolic links. An absolute path inside the root but outside of the skill's
 * folder becomes a file of the skill, under its path relative to the root; a missing file is left to the reader.
 */
async function resolveEntry(root: SkillRoot, folder: SkillFolder, entry: string): Promise<ResolvedEntry> {
  const given = isAbsolute(entry) ? resolve(entry) : resolve(folder.path, entry);
  const target = await realpath(given).catch(() => null);
  const below = belowRoot(root, given, target);
  if (target === null ? below === null : !isInside(root, target)) return { kind: "escapes", entry: given };
  if (below === null || target === null) return { kind: "fine", expected: null, copy: null };
  const prefix = folder.below === "" ? "" : `${folder.below}/`;
  if (below.startsWith(prefix)) {
    return { kind: "fine", expected: isAbsolute(entry) ? below.slice(prefix.length) : null, copy: null };
  }
  if (!isAbsolute(entry)) return { kind: "outside", entry: given };
  return { kind: "fine", expected: below, copy: { path: below, source: target } };
}

function belowRoot(root: SkillRoot, given: string, target: string | null): string | null {
  for (const [base, path] of [
    [root.path, given],
    [root.real, given],
    [root.real, target ?? root.real],
  ] as const) {
    const below = relative(base, path);
    if (below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below)) {
      return join(below).split(sep).join("/");
    }
  }
  return null;
}
