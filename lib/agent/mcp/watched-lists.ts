import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { offeredTools } from "../list-tools";
import { offeredSkills } from "../offers/offered-skills";
import type { AgentTool } from "../schema";
import type { Watched } from "./mcp-sessions";
import { isPrompt } from "./skill-prompts";
import { isResource } from "./skill-resources";
import { readSkillUri } from "./skill-uri";

const MAX_RESOURCES = 100;

export type ListChange = {
  method:
    | "notifications/tools/list_changed"
    | "notifications/resources/list_changed"
    | "notifications/prompts/list_changed";
};
export type Change = ListChange | { method: "notifications/resources/updated"; params: { uri: string } };

const toolHashes = new WeakMap<AgentTool, string>();

export async function hashLists(ctx: Ctx, { canConfirm }: { canConfirm: boolean }): Promise<Watched["listHashes"]> {
  const { tools } = await offeredTools(ctx, { canConfirm });
  const { skills } = await offeredSkills(ctx, { canConfirm });
  const named = (seen: typeof skills) => seen.map(({ name, digest, manifest }) => [name, digest, manifest.description]);
  return {
    tools: hashOf(tools.map(hashOfTool)),
    resources: hashOf(named(skills.filter(isResource)).sort()),
    prompts: hashOf(named(skills.filter(isPrompt)).sort()),
  };
}

/** Adds a resource whose changes the client wants to know; at most 100 of them. */
export async function watchResource(ctx: Ctx, watched: Omit<Watched, "listHashes">, uri: string): Promise<void> {
  if (watched.resources.size >= MAX_RESOURCES && !watched.resources.has(uri)) {
    throw new McpError(ErrorCode.InvalidParams, `A client can watch ${MAX_RESOURCES} resources at once.`);
  }
  watched.resources.set(uri, await digestOf(ctx, watched, uri));
}

/** The notifications about what changed since the last time; stores the new state in `watched`. */
export async function findChanges(ctx: Ctx, watched: Watched): Promise<Change[]> {
  const before = watched.listHashes;
  const hashes = await hashLists(ctx, watched);
  watched.listHashes = hashes;
  const changes: Change[] = [];
  if (before.tools !== hashes.tools) changes.push({ method: "notifications/tools/list_changed" });
  if (before.resources !== hashes.resources) changes.push({ method: "notifications/resources/list_changed" });
  if (before.prompts !== hashes.prompts) changes.push({ method: "notifications/prompts/list_changed" });
  for (const [uri, known] of watched.resources) {
    const digest = await digestOf(ctx, watched, uri);
    if (digest === known) continue;
    watched.resources.set(uri, digest);
    changes.push({ method: "notifications/resources/updated", params: { uri } });
  }
  return changes;
}

/** The digest of the version that a resource belongs to; null when the caller is not offered it. */
async function digestOf(ctx: Ctx, { canConfirm }: { canConfirm: boolean }, uri: string): Promise<string | null> {
  const { name } = readSkillUri(uri);
  const { skills } = await offeredSkills(ctx, { canConfirm });
  return skills.find((skill) => isResource(skill) && (skill.name === name || skill.slug === name))?.digest ?? null;
}

/** Cached: sessions of one persona share tools, and their schemas may be long. */
function hashOfTool(tool: AgentTool): string {
  const hash = toolHashes.get(tool) ?? hashOf(tool);
  toolHashes.set(tool, hash);
  return hash;
}

function hashOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value));
}
