import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "@/lib/core/errors";
import { isJunk } from "@/lib/skill-format/is-junk";
import { MAX_FILE_BYTES, MAX_PATH_DEPTH, MAX_SKILL_FILES } from "@/lib/skill-format/limits";
import type { SkillFile } from "@/lib/skill-format/skill-file";
import { acceptableFiles } from "../files-from-input";

/** The files of a skill’s folder on disk, under the limits of an upload. A symbolic link is refused and never followed. */
export async function readFiles(folder: string): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  await collect(folder, "", files);
  return acceptableFiles(files.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

async function collect(root: string, below: string, files: SkillFile[]): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (isJunk(path)) continue;
    if (path.split("/").length > MAX_PATH_DEPTH) throw refused(`${path} lies deeper than ${MAX_PATH_DEPTH} folders.`);
    if (entry.isDirectory()) await collect(root, path, files);
    else files.push(await readOne(root, path));
    if (files.length > MAX_SKILL_FILES) throw refused(`It has more than ${MAX_SKILL_FILES} files.`);
  }
}

async function readOne(root: string, path: string): Promise<SkillFile> {
  const facts = await lstat(join(root, path));
  if (!facts.isFile()) throw refused(`${path} is no ordinary file.`);
  if (facts.size > MAX_FILE_BYTES) throw refused(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const bytes = new Uint8Array(await readFile(join(root, path)));
  return { path, mode: facts.mode & 0o111 ? "755" : "644", bytes };
}

function refused(message: string): AppError {
  return new AppError("archive_rejected", message);
}
