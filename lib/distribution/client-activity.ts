import { LRUCache } from "lru-cache";
import { z } from "zod";
import { isPerson } from "@/lib/core/actor";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import { IsoTime } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { DoorSighting } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { requireScope } from "@/lib/policy/require-scope";

/** User agents of known clients. The `skills` CLI sends only its runtime. */
const KNOWN: [RegExp, string][] = [
  [/^node\b/i, "skills"],
  [/^(?:async)?anthropic\//i, "anthropic-sdk"],
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
  [/^skopeo\//i, "skopeo"],
  [/^oras\//i, "oras"],
  [/^curl\//i, "curl"],
  [/^mozilla\//i, "browser"],
];

/** Distribution protocols, stored in the column `door`. */
export type Protocol = "well-known" | "search" | "clawhub" | "marketplace" | "git" | "mcp" | "skills-api" | "oci";

const EVERY_MS = 30_000;
const MAX_KEYS = 2_000;

/**
 * Records that the viewer's client called, at most every 30 seconds; anonymous viewers share one row per client. Never
 * throws.
 */
export async function recordActivity(ctx: Ctx, protocol: Protocol, request: Request): Promise<void> {
  const userAgent = request.headers.get("user-agent")?.slice(0, 200) ?? null;
  const userId = isPerson(ctx.actor) ? ctx.actor.userId : "";
  const client = clientName(userAgent);
  const at = ctx.now();
  if (!isDue(`${protocol} ${client} ${userId}`, at.getTime())) return;
  const last = { lastSeenAt: at, userAgent };
  try {
    await inTransaction(ctx, (tx) =>
      tx.doorSighting.upsert({
        where: { door_client_userId: { door: protocol, client, userId } },
        create: { door: protocol, client, userId, ...last },
        update: last,
      }),
    );
  } catch (err) {
    logger.warn({ err }, "client activity could not be recorded");
  }
}

/** Anonymous callers choose their user agent, so the number of keys is bounded. */
function isDue(key: string, now: number): boolean {
  const noted = processStore("client-activity", () => new LRUCache<string, number>({ max: MAX_KEYS }));
  const last = noted.get(key);
  if (last !== undefined && now - last < EVERY_MS) return false;
  noted.set(key, now);
  return true;
}

/** Client name of a user agent; `other` when unknown, since callers choose what they send. */
function clientName(userAgent: string | null): string {
  return KNOWN.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "other";
}

export const ClientActivity = z.object({
  items: z.array(
    z.object({
      door: z.string(),
      client: z.string(),
      mine: z
        .boolean()
        .describe("True for calls with a token or capability URL of the caller, false for anonymous calls."),
      lastSeenAt: IsoTime,
    }),
  ),
});
export type ClientActivity = z.infer<typeof ClientActivity>;

const SEEN = query<DoorSighting>(`SELECT * FROM "DoorSighting" WHERE "userId" IN (?, '') ORDER BY "lastSeenAt" DESC`, {
  lastSeenAt: "date",
});

/** Lists the clients that called as the caller or anonymously, most recent first. */
export async function listClientActivity(ctx: Ctx): Promise<ClientActivity> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await sqlOf(ctx).all(SEEN, userId);
  return {
    items: rows.map((row) => ({
      door: row.door,
      client: row.client,
      mine: row.userId !== "",
      lastSeenAt: row.lastSeenAt.toISOString(),
    })),
  };
}
