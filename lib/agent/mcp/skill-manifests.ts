import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { decodeSkillText } from "@/lib/skill-format/archive/decode-text";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { isSkillMarker } from "@/lib/skill-format/archive/split-skills";
import { isScript } from "@/lib/skill-format/executables";
import { isLoadable, PORTABLE_NAME, portableFiles } from "@/lib/skill-format/export/write-spec";
import { parseFrontmatter } from "@/lib/skill-format/frontmatter/parse-frontmatter";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import type { JsonObject } from "@/lib/skill-format/schema";
import { readVersionFiles } from "@/lib/skills/versions/read-blob";
import type { EnabledSkill } from "../offers/enabled-skills";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import type { RequestContext } from "./request-context";
import { type ListSkillsRequest, pageFrom, readSkillUri, type SkillRequest, skillUri, unknownUri } from "./skill-uri";

const MARKER = "SKILL.md";
const MAX_KEPT = 500;
const PAGE = 50;
/** Limits of the extension, SKILL.md included; hosts may refuse a larger skill (SEP-2640, Limits). */
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;

type StoredFile = { path: string; mode: string; sha256: string; size: number; isText: boolean };
type Content = {
  /** As offered: a rewritten SKILL.md has its own hash and size. */
  files: StoredFile[];
  /** A rewritten SKILL.md, when clients cannot load the stored one; else null. */
  written: string | null;
  /** Frontmatter of the offered SKILL.md; null when clients of the extension would reject it. */
  frontmatter: JsonObject | null;
};

/** The offered skills that a model may load, by name, with a digest of every file (SEP-2640, `skills/list`); 50 per page. */
export async function listManifests({ ctx, session }: RequestContext, { params }: z.infer<typeof ListSkillsRequest>) {
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const named = skills
    .filter(({ hasPlaybook, manifest }) => hasPlaybook && !manifest.disableModelInvocation)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = pageFrom(named, params?.cursor, PAGE);
  const entries = await Promise.all(
    page.items.map((skill) => manifestOf(ctx, skill).catch((error: unknown) => unlessTampered(error, skill))),
  );
  return { skills: entries.filter((entry) => entry !== null), ...page.next };
}

/** Leaves out a skill with changed files, so that the others are still listed. */
function unlessTampered(error: unknown, { id, digest }: EnabledSkill): null {
  if (!(error instanceof AppError) || error.code !== "version_tampered") throw error;
  logger.warn({ skillId: id, digest }, "skills/list left out a skill because its files were changed");
  return null;
}

/** The manifest of one skill, by the address of its SKILL.md (`skills/get`). */
export async function getManifest({ ctx, session }: RequestContext, { params }: z.infer<typeof SkillRequest>) {
  const { name, path } = readSkillUri(params.uri);
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const found = path === MARKER ? skills.find((skill) => skill.name === name || skill.slug === name) : undefined;
  const mayRead = found?.hasPlaybook === true && (await mayModelRead(ctx, session.id, found));
  if (!mayRead) throw unknownUri(params.uri);
  const skill = await manifestOf(ctx, found);
  if (skill !== null) return { skill };
  const why = `“${found.name}” is withheld: clients would refuse it, or agents may not read all of its files. use_skill loads it.`;
  throw new McpError(ErrorCode.InvalidParams, why, { uri: params.uri });
}

/**
 * The complete manifest of a skill. Null for one that is withheld: clients of the extension reject its name (other characters
 * than a-z, 0-9 and -), its SKILL.md is too large for agents, or not every file can be served.
 */
async function manifestOf(ctx: Ctx, skill: EnabledSkill) {
  const { files, frontmatter } = await contentOf(ctx, skill);
  if (frontmatter === null || !skill.isMarkerReadable || !isWhole(skill, files)) return null;
  const resources = files.map(({ path, sha256, size }) => ({
    uri: skillUri(skill.slug, path),
    digest: `sha256:${sha256}`,
    size,
  }));
  return { uri: skillUri(skill.slug, MARKER), frontmatter, resources };
}

/** The files that `resources/read` returns: all except scripts that no reviewer granted to agents. */
export function readableFiles({ mayReadScripts }: EnabledSkill, files: StoredFile[]): StoredFile[] {
  return files.filter((file) => mayReadScripts || !isScript(file) || isSkillMarker(file.path));
}

/** Whether the extension may serve the skill: a manifest lists every file, so one file that is withheld withholds all. */
export function isWhole(skill: EnabledSkill, files: StoredFile[]): boolean {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return readableFiles(skill, files).length === files.length && files.length <= MAX_FILES && bytes <= MAX_BYTES;
}

/** The content of the active version, cached by its digest. */
export async function contentOf(ctx: Ctx, skill: EnabledSkill): Promise<Content> {
  const kept = processStore("mcp-contents", () => new LRUCache<string, Content>({ max: MAX_KEPT }));
  const key = `${skill.id} ${skill.digest}`;
  const content = kept.get(key) ?? (await readContent(ctx, skill));
  kept.set(key, content);
  return content;
}

async function readContent(ctx: Ctx, { id: skillId, digest, slug, marker }: EnabledSkill): Promise<Content> {
  const { files } = await ctx.db.version.findUniqueOrThrow({
    where: { skillId_digest: { skillId, digest } },
    select: { files: { orderBy: { path: "asc" } } },
  });
  if (!isPlaybookFile({ path: marker }) || !PORTABLE_NAME.test(slug))
    return { files, written: null, frontmatter: null };
  const markers = await readVersionFiles(ctx, { files: files.filter(isPlaybookFile) });
  const [only] = markers;
  // Most skills are offered unchanged; then no other file is read.
  if (only !== undefined && isLoadable(slug, markers))
    return { files, written: null, frontmatter: frontmatterOf(only) };
  const stored = await readVersionFiles(ctx, { files });
  const portable = portableFiles(slug, stored, readSkill(stored, { folder: slug }).manifest);
  const made = portable?.files.find(({ path }) => path === MARKER);
  if (made === undefined) return { files, written: null, frontmatter: null };
  const { bytes, mode } = made;
  const own = { path: MARKER, mode, sha256: sha256Hex(bytes), size: bytes.length, isText: true };
  return {
    files: [own, ...files.filter((file) => !isPlaybookFile(file))],
    written: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
    frontmatter: frontmatterOf(made),
  };
}

function isPlaybookFile({ path }: { path: string }): boolean {
  return path.toLowerCase() === "skill.md";
}

function frontmatterOf({ bytes }: SkillFile): JsonObject | null {
  return parseFrontmatter(decodeSkillText(bytes, MARKER).text, MARKER).mapping?.values ?? null;
}
