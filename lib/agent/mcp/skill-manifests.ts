import type { z } from "zod";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { decodeSkillText } from "@/lib/skill-format/decode-skill-text";
import { isScript } from "@/lib/skill-format/is-script";
import { MAX_AGENT_TEXT_BYTES } from "@/lib/skill-format/limits";
import { parseFrontmatter } from "@/lib/skill-format/parse-frontmatter";
import type { JsonObject } from "@/lib/skill-format/schema";
import { readBlob } from "@/lib/skills/read-blob";
import type { EnabledSkill } from "../offers/enabled-skills";
import { offeredSkills } from "../offers/offered-skills";
import type { Asked } from "./asked-request";
import { pageFrom } from "./page-from";
import { readSkillUri, skillUri, unknownUri } from "./skill-uri";
import type { ListSkillsRequest, SkillRequest } from "./skills-extension";

const MARKER = "SKILL.md";
const MAX_KEPT = 500;
const PAGE = 50;

type StoredFile = { path: string; mode: string; sha256: string; size: number; isText: boolean };
type Content = { files: StoredFile[]; frontmatter: JsonObject | null };

/** The offered skills with a digest for each of their files (SEP-2640, `skills/list`), by name, 50 at a time. */
export async function listManifests({ ctx }: Asked, { params }: z.infer<typeof ListSkillsRequest>) {
  const { skills } = await offeredSkills(ctx);
  const named = skills.filter(({ marker }) => marker === MARKER).sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = pageFrom(named, params?.cursor, PAGE);
  const entries = await Promise.all(page.items.map((skill) => manifestOf(ctx, skill)));
  return { skills: entries.filter((entry) => entry !== null), ...page.next };
}

/** One of them, by the address of its SKILL.md (`skills/get`). */
export async function getManifest({ ctx }: Asked, { params }: z.infer<typeof SkillRequest>) {
  const { name, path } = readSkillUri(params.uri);
  const { skills } = await offeredSkills(ctx);
  const found = path === MARKER ? skills.find((skill) => skill.name === name || skill.slug === name) : undefined;
  const skill = found === undefined ? null : await manifestOf(ctx, found);
  if (skill === null) throw unknownUri(params.uri);
  return { skill };
}

/** Null for what the extension does not describe: a folder whose SKILL.md says no name, or another one. */
async function manifestOf(ctx: Ctx, skill: EnabledSkill) {
  const { files, frontmatter } = await contentOf(ctx, skill);
  if (frontmatter?.name !== skill.name) return null;
  const resources = readableFiles(skill, files).map(({ path, sha256, size }) => ({
    uri: skillUri(skill.name, path),
    digest: `sha256:${sha256}`,
    size,
  }));
  return { uri: skillUri(skill.name, MARKER), frontmatter, resources };
}

/** Of a skill's files those that an agent may read: what is listed can be fetched and compared with its digest. */
export function readableFiles({ mayReadScripts }: EnabledSkill, files: StoredFile[]): StoredFile[] {
  return files.filter(
    (file) =>
      file.path === MARKER || (file.isText && file.size <= MAX_AGENT_TEXT_BYTES && (mayReadScripts || !isScript(file))),
  );
}

/** What the serving version consists of. Kept by its digest, which stands for exactly these bytes. */
export async function contentOf(ctx: Ctx, { id, digest }: EnabledSkill): Promise<Content> {
  const kept = processStore("mcp-contents", () => new Map<string, Content>());
  const key = `${id} ${digest}`;
  const content = kept.get(key) ?? (await readContent(ctx, id, digest));
  kept.delete(key);
  kept.set(key, content);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return content;
}

async function readContent(ctx: Ctx, skillId: string, digest: string): Promise<Content> {
  const { files } = await ctx.db.version.findUniqueOrThrow({
    where: { skillId_digest: { skillId, digest } },
    select: {
      files: { select: { path: true, mode: true, sha256: true, size: true, isText: true }, orderBy: { path: "asc" } },
    },
  });
  const marker = files.find(({ path }) => path === MARKER);
  if (marker === undefined) return { files, frontmatter: null };
  const { text } = decodeSkillText(await readBlob(ctx, marker), MARKER);
  return { files, frontmatter: parseFrontmatter(text, MARKER).mapping?.values ?? null };
}
