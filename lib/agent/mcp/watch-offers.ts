import { findCaller } from "@/lib/auth/find-caller";
import { sha256Hex } from "@/lib/core/hash";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { type Ctx, createCtx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { offeredTools } from "../list-tools";
import { offeredSkills } from "../offers/offered-skills";
import type { AgentTool } from "../schema";
import { allSessions, closeSession, type McpSession } from "./mcp-sessions";
import { isPrompt } from "./skill-prompts";
import { isResource } from "./skill-resources";

const LOOK_MS = 500;
/** What a session sees also depends on which workers are online, whose tokens end, and what time it is. */
const LOOK_AT_ALL_MS = 15_000;
const IDLE_MS = 30 * 60_000;

type Watch = { timer: NodeJS.Timeout | null; revision: number; lookedAt: number; isBusy: boolean };

function watch(): Watch {
  return processStore("mcp-watch", () => ({ timer: null, revision: -1, lookedAt: 0, isBusy: false }));
}

/**
 * Tells listening clients when their lists of tools, resources or prompts have changed, within a second of most changes; ends
 * sessions whose token has ended, and those that rested for half an hour. One timer for all, which stops with the last.
 */
export function watchOffers(): void {
  const state = watch();
  state.timer ??= setInterval(() => void lookAfterSessions(), LOOK_MS).unref();
}

/** One look, at every session with `all`, else only at those that may have something to hear. */
export async function lookAfterSessions({ all = false } = {}): Promise<void> {
  const state = watch();
  if (state.isBusy) return;
  state.isBusy = true;
  try {
    const now = performance.now();
    const sessions = [...allSessions().values()];
    const [first] = sessions;
    if (first === undefined) {
      if (state.timer !== null) clearInterval(state.timer);
      state.timer = null;
      return;
    }
    const revision = await readOfferRevision(first);
    const isEveryone = all || revision !== state.revision || now - state.lookedAt >= LOOK_AT_ALL_MS;
    if (isEveryone) Object.assign(state, { revision, lookedAt: now });
    for (const session of sessions) {
      if (isEveryone || session.isDue) await lookAt(session, now);
    }
  } catch (err) {
    logger.warn({ err }, "MCP sessions could not be looked after");
  } finally {
    state.isBusy = false;
  }
}

async function lookAt(session: McpSession, now: number): Promise<void> {
  const { actor, database, calls, isListening, lastUsedAt } = session;
  const system = createCtx({ actor: { kind: "system", name: "mcp" }, database });
  const caller = await findCaller(system, {
    userId: actor.userId,
    tokenId: actor.kind === "token" ? actor.tokenId : null,
    sessionId: actor.kind === "user" ? actor.sessionId : null,
  });
  const isIdle = calls === 0 && !isListening && now - lastUsedAt > IDLE_MS;
  if (caller === null || isIdle) return closeSession(session, "ended");
  if (!isListening) return;
  const before = session.seen;
  const sees = await whatIsSeen({ ...system, actor: caller }, session);
  session.seen = sees;
  session.isDue = false;
  if (before.tools !== sees.tools) await session.server.sendToolListChanged();
  if (before.resources !== sees.resources) await session.server.sendResourceListChanged();
  if (before.prompts !== sees.prompts) await session.server.sendPromptListChanged();
}

/** One hash for each kind of list that a caller is given now. */
export async function whatIsSeen(
  ctx: Ctx,
  { canConfirm }: Pick<McpSession, "canConfirm">,
): Promise<McpSession["seen"]> {
  const { tools } = await offeredTools(ctx, { canConfirm });
  const { skills } = await offeredSkills(ctx, { canConfirm });
  const named = (seen: typeof skills) => seen.map(({ name, digest, manifest }) => [name, digest, manifest.description]);
  return {
    tools: hashOf(tools.map(hashOfTool)),
    resources: hashOf(named(skills.filter(isResource)).sort()),
    prompts: hashOf(named(skills.filter(isPrompt)).sort()),
  };
}

const hashes = new WeakMap<AgentTool, string>();

/** Sessions of one persona share the tools, and their schemas may be long. */
function hashOfTool(tool: AgentTool): string {
  const hash = hashes.get(tool) ?? hashOf(tool);
  hashes.set(tool, hash);
  return hash;
}

function hashOf(value: unknown): string {
  return sha256Hex(JSON.stringify(value));
}
