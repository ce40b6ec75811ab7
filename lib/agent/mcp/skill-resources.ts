import {
  ErrorCode,
  type ListResourcesRequest,
  McpError,
  type ReadResourceRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { callTool } from "../call-tool";
import type { EnabledSkill } from "../offers/enabled-skills";
import { offeredSkills } from "../offers/offered-skills";
import { mayModelRead } from "../sessions/session-limits";
import type { RequestContext } from "./request-context";
import { contentOf, readableFiles } from "./skill-manifests";
import { pageFrom, type ReadDirectoryRequest, readSkillUri, skillUri, unknownUri } from "./skill-uri";

const PAGE = 100;
const DIRECTORY = "inode/directory";

/** The main file of each skill that a model may load, by name; other files are read through the template. */
export async function listResources({ ctx, session }: RequestContext, { params }: ListResourcesRequest) {
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const readable = skills.filter(isResource);
  const page = pageFrom(readable.sort(byName), params?.cursor, PAGE);
  const resources = page.items.map(({ name, slug, label, marker, digest, manifest }) => ({
    uri: skillUri(slug, marker),
    name,
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

/** As read_skill_file. A SKILL.md that clients cannot load is replaced by the rewritten one of `skills/list`. */
export async function readResource({ ctx, session }: RequestContext, { params: { uri } }: ReadResourceRequest) {
  const { name, path } = readSkillUri(uri);
  if (path === "") throw unknownUri(uri);
  const to = { canConfirm: session.canConfirm };
  const { skills } = path === "SKILL.md" ? await offeredSkills(ctx, to) : { skills: [] };
  const skill = skills.find((candidate) => candidate.name === name || candidate.slug === name);
  const written = skill === undefined ? null : (await contentOf(ctx, skill)).written;
  const stored = written === null || skill === undefined ? path : skill.marker;
  const { content, structured, isError } = await callTool(ctx, session, "read_skill_file", { name, path: stored }, to);
  if (isError) throw new McpError(ErrorCode.InvalidParams, content, { uri, ...structured });
  return { contents: [{ uri, mimeType: mimeTypeOf(path), text: written ?? content }] };
}

/** The entries of a folder in a skill, one level deep (SEP-2640, `resources/directory/read`). */
export async function readDirectory(
  { ctx, session }: RequestContext,
  { params: { uri } }: z.infer<typeof ReadDirectoryRequest>,
) {
  const { name, path } = readSkillUri(uri);
  const { skills } = await offeredSkills(ctx, { canConfirm: session.canConfirm });
  const skill = skills.find((candidate) => candidate.name === name || candidate.slug === name);
  const inside = path === "" ? "" : `${path}/`;
  const mayRead = skill !== undefined && (await mayModelRead(ctx, session.id, skill));
  const files = mayRead ? readableFiles(skill, (await contentOf(ctx, skill)).files) : [];
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
};

function mimeTypeOf(path: string): string {
  return TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "text/plain";
}
