import { LRUCache } from "lru-cache";
import { z } from "zod";
import { isPerson } from "@/lib/core/actor";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { IsoTime } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";

/** What the user agents of known clients say; the `skills` CLI says no more than its runtime. */
const KNOWN: [RegExp, string][] = [
  [/^node\b/i, "skills"],
  [/clawhub|clawdhub/i, "clawhub"],
  [/opencode/i, "opencode"],
  [/claude/i, "claude-code"],
  [/codex/i, "codex"],
  [/gemini/i, "gemini-cli"],
  [/cursor/i, "cursor"],
  [/openclaw/i, "openclaw"],
  [/skillkit/i, "skillkit"],
  [/hermes/i, "hermes"],
  [/^git\//i, "git"],
  [/^curl\//i, "curl"],
  [/^mozilla\//i, "browser"],
];

/** The distribution protocols; stored as `door`. */
export const PROTOCOLS = ["well-known", "search", "clawhub", "marketplace", "git", "mcp"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const EVERY_MS = 30_000;
const MAX_KEYS = 2_000;

/**
 * Notes that the viewer’s client has called an endpoint, at most each half minute; without signing in, for everybody alike. A
 * note that cannot be written is no reason to refuse the request.
 */
export async function recordActivity(ctx: Ctx, door: Protocol, request: Request): Promise<void> {
  const userAgent = request.headers.get("user-agent")?.slice(0, 200) ?? null;
  const userId = isPerson(ctx.actor) ? ctx.actor.userId : "";
  const client = clientName(userAgent);
  const at = ctx.now();
  if (!isDue(`${door} ${client} ${userId}`, at.getTime())) return;
  const seen = { lastSeenAt: at, userAgent };
  try {
    await inTransaction(ctx, (tx) =>
      tx.doorSighting.upsert({
        where: { door_client_userId: { door, client, userId } },
        create: { door, client, userId, ...seen },
        update: seen,
      }),
    );
  } catch (err) {
    logger.warn({ err }, "a client at a door could not be noted");
  }
}

/** Strangers choose their user agent: how many are remembered is bounded, and each name costs one write in a while. */
function isDue(key: string, now: number): boolean {
  const noted = processStore("client-activity", () => new LRUCache<string, number>({ max: MAX_KEYS }));
  const last = noted.get(key);
  if (last !== undefined && now - last < EVERY_MS) return false;
  noted.set(key, now);
  return true;
}

/** The name of the client behind a user agent; `other` for all that are not known, since strangers choose what they say. */
function clientName(userAgent: string | null): string {
  return KNOWN.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "other";
}

export const ClientActivity = z.object({
  items: z.array(
    z.object({
      door: z.string(),
      client: z.string(),
      mine: z.boolean().describe("With a token or a capability URL of the caller; else without signing in."),
      lastSeenAt: IsoTime,
    }),
  ),
});
export type ClientActivity = z.infer<typeof ClientActivity>;

/** Which clients have called which endpoints as the caller, or without signing in, and when last. */
export async function listClientActivity(ctx: Ctx): Promise<ClientActivity> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await ctx.db.doorSighting.findMany({
    where: { userId: { in: [userId, ""] } },
    orderBy: { lastSeenAt: "desc" },
  });
  return {
    items: rows.map((row) => ({
      door: row.door,
      client: row.client,
      mine: row.userId !== "",
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
  };
}
