import { findCaller } from "@/lib/auth/people/find-caller";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { type Ctx, createCtx } from "@/lib/db/context";
import { readOfferRevision } from "@/lib/db/offer-revision";
import { allSessions, closeSession, type McpSession, type Watched } from "./mcp-sessions";
import { type ChangeStream, openStreams } from "./stateless/change-streams";
import { findChanges } from "./watched-lists";

const POLL_MS = 500;

/** Interval for checking all clients: offers also depend on online workers, token expiry and time. */
const FULL_CHECK_MS = 15_000;
const IDLE_MS = 30 * 60_000;

type Watch = { timer: NodeJS.Timeout | null; revision: number; checkedAt: number; isBusy: boolean };
type Listener = McpSession | ChangeStream;

function watchState(): Watch {
  return processStore("mcp-watch", () => ({ timer: null, revision: -1, checkedAt: 0, isBusy: false }));
}

/**
 * Starts one timer for all sessions and change streams, which stops with the last one. It notifies listening clients within
 * about a second when their tools, resources or prompts change. It ends sessions and streams whose token is no longer valid,
 * and sessions that were idle for 30 minutes.
 */
export function watchOffers(): void {
  const state = watchState();
  state.timer ??= setInterval(() => void checkListeners(), POLL_MS).unref();
}

/** Checks listeners once: all with `all` or after a change, else only those that may have missed a change. */
export async function checkListeners({ all = false } = {}): Promise<void> {
  const state = watchState();
  if (state.isBusy) return;
  state.isBusy = true;
  try {
    const now = performance.now();
    const listeners: Listener[] = [...allSessions().values(), ...openStreams()];
    const [first] = listeners;
    if (first === undefined) {
      if (state.timer !== null) clearInterval(state.timer);
      state.timer = null;
      return;
    }
    const revision = await readOfferRevision(first);
    const checksAll = all || revision !== state.revision || now - state.checkedAt >= FULL_CHECK_MS;
    if (checksAll) Object.assign(state, { revision, checkedAt: now });
    for (const listener of listeners) {
      if (!checksAll && !listener.needsCheck) continue;
      await ("transport" in listener ? checkSession(listener, now) : checkStream(listener));
    }
  } catch (err) {
    logger.warn({ err }, "MCP clients could not be checked");
  } finally {
    state.isBusy = false;
  }
}

async function checkSession(session: McpSession, now: number): Promise<void> {
  const caller = await callerOf(session);
  const { calls, isListening, lastUsedAt } = session;
  const isIdle = calls === 0 && !isListening && now - lastUsedAt > IDLE_MS;
  if (caller === null || isIdle) return closeSession(session, "ended");
  if (!isListening) return;
  for (const change of await takeChanges(caller, session)) await session.server.notification(change);
}

async function checkStream(stream: ChangeStream): Promise<void> {
  const caller = await callerOf(stream);
  if (caller === null) return stream.end();
  for (const change of await takeChanges(caller, stream)) stream.notify(change);
}

async function takeChanges(caller: Ctx, listener: Watched & { needsCheck: boolean }) {
  const changes = await findChanges(caller, listener);
  listener.needsCheck = false;
  return changes;
}

/** A context of the client's person, with their rights of now; null when the token or the session has ended. */
async function callerOf({ actor, database }: Pick<Listener, "actor" | "database">): Promise<Ctx | null> {
  const system = createCtx({ actor: { kind: "system", name: "mcp" }, database });
  const caller = await findCaller(system, {
    userId: actor.userId,
    tokenId: actor.kind === "token" ? actor.tokenId : null,
    sessionId: actor.kind === "user" ? actor.sessionId : null,
  });
  return caller === null ? null : { ...system, actor: caller };
}
