import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { logger } from "@/lib/core/logger";
import { isJunk } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_PATH_DEPTH, MAX_SKILL_FILES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { acceptableFiles } from "../versions/files-from-input";
import type { ReadSkill } from "../versions/store-version";
import { IntegrationDomain, IntegrationManifest, type SkippedSkill } from "./schema";

const MAX_DOMAINS = 200;
const MAX_SKILLS = 200;
const MAX_MANIFEST_BYTES = 64 * 1024;

/** An integration as read from its folder. `manifest` is null exactly when `problem` is set. */
export type ReadDomain = {
  domain: string;
  manifest: IntegrationManifest | null;
  problem: string | null;
  skills: ReadSkill[];
  skipped: SkippedSkill[];
};

/** The directory of integrations (`SKILLGATE_INTEGRATIONS_DIR`); null when it is not set. */
export function integrationsFolder(): string | null {
  return getEnv().SKILLGATE_INTEGRATIONS_DIR ?? null;
}

/** Reads all integrations by domain; unreadable ones are included with their problem. */
export async function readDomains(root: string): Promise<ReadDomain[]> {
  const names = (await foldersIn(root)).slice(0, MAX_DOMAINS);
  const domains: ReadDomain[] = [];
  for (const name of names) domains.push(await readDomain(root, name));
  return domains;
}

/** Reads one integration; `problem` is set when it is missing or unreadable. */
export async function readDomain(root: string, domain: string): Promise<ReadDomain> {
  try {
    if (!IntegrationDomain.safeParse(domain).success) {
      throw problem("The folder name must have lower-case letters, digits, dots, dashes and underscores only.");
    }
    const manifest = await readManifest(join(root, domain, "manifest.yaml"));
    return { domain, manifest, problem: null, ...(await readSkills(join(root, domain, "skills"))) };
  } catch (error) {
    return { domain, manifest: null, problem: reasonOf(error), skills: [], skipped: [] };
  }
}

async function readManifest(file: string): Promise<IntegrationManifest> {
  const facts = await lstat(file).catch(() => null);
  if (!facts?.isFile()) throw problem("The folder has no manifest.yaml.");
  if (facts.size > MAX_MANIFEST_BYTES) throw problem("manifest.yaml is larger than 64 KiB, the limit.");
  const parsed = IntegrationManifest.safeParse(parseYaml(await readFile(file, "utf8")));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw problem(`manifest.yaml is not usable: ${issue?.path.join(".") || "it"} ${issue?.message ?? ""}.`);
}

function parseYaml(text: string): unknown {
  try {
    // Reads all values as text: as a number, the version 1.10 would become 1.1.
    return parse(text, { maxAliasCount: 0, schema: "failsafe" });
  } catch {
    throw problem("manifest.yaml is not valid YAML.");
  }
}

async function readSkills(folder: string): Promise<Pick<ReadDomain, "skills" | "skipped">> {
  const skills: ReadSkill[] = [];
  const skipped: SkippedSkill[] = [];
  const names = await foldersIn(folder);
  for (const name of names.slice(0, MAX_SKILLS)) {
    try {
      const files = await readFiles(join(folder, name));
      const read = { folder: name, files, ...readSkill(files, { folder: name }) };
      const error = read.diagnostics.find(({ severity }) => severity === "error");
      if (error) throw problem(error.message);
      const twin = skills.find(({ manifest }) => manifest.slug === read.manifest.slug);
      if (twin) throw problem(`The skill has the same name as the one in ${twin.folder}.`);
      skills.push(read);
    } catch (error) {
      skipped.push({ name, reason: reasonOf(error) });
    }
  }
  for (const name of names.slice(MAX_SKILLS)) skipped.push({ name, reason: `Only ${MAX_SKILLS} skills are read.` });
  return { skills, skipped };
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

function problem(message: string): AppError {
  return new AppError("invalid", message);
}

/** A reason for people. Other errors are only logged, because they name paths of the server. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  logger.warn({ err: error }, "an integration could not be read");
  return "The folder cannot be read. The server’s log has the reason.";
}

/** Reads a skill's folder from disk, under the limits of an upload. Refuses symbolic links. */
async function readFiles(folder: string): Promise<SkillFile[]> {
  const files: SkillFile[] = [];
  await collect(folder, "", files);
  return acceptableFiles(files.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

async function collect(root: string, below: string, files: SkillFile[]): Promise<void> {
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (isJunk(path)) continue;
    if (path.split("/").length > MAX_PATH_DEPTH) throw refused(`${path} is deeper than ${MAX_PATH_DEPTH} folders.`);
    if (entry.isDirectory()) await collect(root, path, files);
    else files.push(await readOne(root, path));
    if (files.length > MAX_SKILL_FILES) throw refused(`The skill has more than ${MAX_SKILL_FILES} files.`);
  }
}

async function readOne(root: string, path: string): Promise<SkillFile> {
  const facts = await lstat(join(root, path));
  if (!facts.isFile()) throw refused(`${path} is not a regular file.`);
  if (facts.size > MAX_FILE_BYTES) throw refused(`${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const bytes = new Uint8Array(await readFile(join(root, path)));
  return { path, mode: facts.mode & 0o111 ? "755" : "644", bytes };
}

function refused(message: string): AppError {
  return new AppError("archive_rejected", message);
}
