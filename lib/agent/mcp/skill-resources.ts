import {
  ErrorCode,
  type ListResourcesRequest,
  McpError,
  type ReadResourceRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { describeProblem, readFileInSession } from "../call-tool";
import type { EnabledSkill } from "../offers/enabled-skills";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import type { RequestContext } from "./request-context";
import { contentOf, isWhole } from "./skill-manifests";
import { pageFrom, type ReadDirectoryRequest, readSkillUri, skillUri, unknownUri } from "./skill-uri";

const PAGE = 100;
const DIRECTORY = "inode/directory";

/** The main file of each skill that a model may load, by name; other files are read through the template. */
export async function listResources({ ctx, session }: RequestContext, { params }: ListResourcesRequest) {
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const readable = skills.filter(isResource);
  const page = pageFrom(readable.sort(byName), params?.cursor, PAGE);
  const resources = page.items.map(({ name, slug, label, marker, digest, manifest, hasPlaybook }) => ({
    uri: skillUri(slug, marker),
    // The name in the frontmatter, which strict clients compare with the folder's.
    name: hasPlaybook ? slug : name,
    title: label ?? name,
    description: manifest.description,
    mimeType: mimeTypeOf(marker),
    _meta: { "skillgate/digest": `sha256:${digest}` },
  }));
  return { resources, ...page.next };
}

/** Whether a skill is listed as a resource; skills that only people start are prompts instead. */
export function isResource({ isMarkerReadable, manifest }: EnabledSkill): boolean {
  return isMarkerReadable && !manifest.disableModelInvocation;
}

export async function listTemplates() {
  const description = "A file in an offered skill’s folder; list_skills and skills/list name the skills.";
  return {
    resourceTemplates: [
      { uriTemplate: "skill://{name}/{+path}", name: "skill-file", title: "File of a skill", description },
    ],
  };
}

/**
 * A file of an offered skill: UTF-8 as text, other bytes as a blob; scripts only when a reviewer granted them. A SKILL.md that
 * clients cannot load is replaced by the rewritten one of `skills/list`.
 */
export async function readResource({ ctx, session }: RequestContext, { params: { uri } }: ReadResourceRequest) {
  const { name, path } = readSkillUri(uri);
  if (path === "") throw unknownUri(uri);
  const to = { canConfirm: session.canConfirm };
  const { skills } = path === "SKILL.md" ? await offeredSkills(ctx, to) : { skills: [] };
  const skill = skills.find((candidate) => candidate.name === name || candidate.slug === name);
  const written = skill === undefined ? null : (await contentOf(ctx, skill)).written;
  const stored = written === null || skill === undefined ? path : skill.marker;
  try {
    const { bytes } = await readFileInSession(ctx, session, { name, path: stored }, to);
    const text = written ?? textOf(bytes);
    const content = text === null ? { blob: Buffer.from(bytes).toString("base64") } : { text };
    return { contents: [{ uri, mimeType: mimeTypeOf(path, text !== null), ...content }] };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "internal" || error.code === "unavailable") throw error;
    throw new McpError(ErrorCode.InvalidParams, error.message, { uri, ...describeProblem(error) });
  }
}

/** The exact text, with a byte order mark; null for bytes that are no UTF-8 or contain NUL. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The entries of a folder in a skill, one level deep and on one page (SEP-2640, `resources/directory/read`). */
export async function readDirectory(
  { ctx, session }: RequestContext,
  { params: { uri, cursor } }: z.infer<typeof ReadDirectoryRequest>,
) {
  if (cursor !== undefined) throw new McpError(ErrorCode.InvalidParams, "The cursor is invalid.");
  const { name, path } = readSkillUri(uri);
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const skill = skills.find((candidate) => candidate.name === name || candidate.slug === name);
  const inside = path === "" ? "" : `${path}/`;
  const mayRead = skill !== undefined && (await mayModelRead(ctx, session.id, skill));
  const { files: all } = mayRead ? await contentOf(ctx, skill) : { files: [] };
  const files = mayRead && isWhole(skill, all) ? all : [];
  const below = files.filter((file) => file.path.startsWith(inside)).map((file) => file.path.slice(inside.length));
  if (below.length === 0) throw unknownUri(uri);
  const folders = new Set(below.filter((rest) => rest.includes("/")).map((rest) => rest.replace(/\/.*$/, "")));
  const entry = (child: string, mimeType: string) => ({ uri: skillUri(name, inside + child), name: child, mimeType });
  return {
    resources: [
      ...[...folders].map((child) => entry(child, DIRECTORY)),
      ...below.filter((rest) => !rest.includes("/")).map((child) => entry(child, mimeTypeOf(child))),
    ],
  };
}

const byName = (a: EnabledSkill, b: EnabledSkill) => (a.name < b.name ? -1 : 1);

const TYPES: Record<string, string> = {
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  csv: "text/csv",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  zip: "application/zip",
};

function mimeTypeOf(path: string, isText = true): string {
  const known = TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];
  return known ?? (isText ? "text/plain" : "application/octet-stream");
}
