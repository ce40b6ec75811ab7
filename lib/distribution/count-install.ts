import { LRUCache } from "lru-cache";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Protocol } from "./client-activity";
import type { Viewer } from "./identify-viewer";
import type { Published } from "./published";

const HOUR_MS = 3_600_000;
const MAX_KEYS = 20_000;

/**
 * Counts an install once per hour and viewer. Ignores HEAD, conditional reads, and update checks
 * (`X-Skills-Update-Check: 1`). Never throws.
 */
export async function countInstall(
  viewer: Viewer,
  { skill, digest }: Published,
  protocol: Protocol,
  request: Request,
): Promise<void> {
  const { ctx } = viewer;
  const isRead = request.method !== "GET" && request.method !== "POST";
  if (isRead || request.headers.has("if-none-match") || request.headers.get("x-skills-update-check") === "1") return;
  const at = ctx.now();
  if (!isFirst(`${viewer.key} ${skill.id} ${digest}`, at.getTime())) return;
  await add(ctx, { skillId: skill.id, versionDigest: digest, door: protocol, day: at.toISOString().slice(0, 10) });
}

type Row = { skillId: string; versionDigest: string; door: Protocol; day: string };

async function add(ctx: Ctx, row: Row): Promise<void> {
  try {
    await inTransaction(ctx, (tx) =>
      tx.installCount.upsert({
        where: { skillId_versionDigest_door_day: row },
        create: { ...row, count: 1 },
        update: { count: { increment: 1 } },
      }),
    );
  } catch (err) {
    logger.warn({ err }, "an install could not be counted");
  }
}

function isFirst(key: string, now: number): boolean {
  const counted = processStore("distribution-installs", () => new LRUCache<string, number>({ max: MAX_KEYS }));
  const last = counted.get(key);
  if (last !== undefined && now - last < HOUR_MS) return false;
  counted.set(key, now);
  return true;
}
