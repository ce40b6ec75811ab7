import type { Ctx } from "@/lib/db/context";
import type { Skill, Version } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { cachedSettings } from "@/lib/settings/settings";
import type { ExchangeResponse } from "@/lib/worker/protocol";

/** The worker's id for the prewarmed processes of a pack: the version and its approval. */
export function packName(version: { id: string; subject: string | null }): string {
  return `${version.id} ${version.subject}`;
}

type Serving = Pick<Version, "id" | "subject"> & Pick<Skill, "enabled" | "listed">;
const SERVING = query<Serving>(
  `SELECT v."id", v."subject", s."enabled", s."listed" FROM "Version" v JOIN "Skill" s ON s."currentId" = v."id"
   WHERE v."id" = ? AND v."state" = ? AND s."id" = v."skillId"`,
  { enabled: "flag", listed: "flag" },
);

/** The packs of a worker's list that are still approved and current, and the memory that their processes may use. */
export async function findCurrentPacks(ctx: Ctx, asked: string[]): Promise<NonNullable<ExchangeResponse["warm"]>> {
  const { warmStarts, warmMemoryMiB } = await cachedSettings(ctx);
  if (!warmStarts) return { memoryMiB: 0, current: [] };
  if (asked.length === 0) return { memoryMiB: warmMemoryMiB, current: [] };
  const current: string[] = [];
  for (const name of asked) {
    const version = await sqlOf(ctx).get(SERVING, name.split(" ", 1)[0] ?? "", "approved");
    if (version?.enabled && version.listed && packName(version) === name) current.push(name);
  }
  return { memoryMiB: warmMemoryMiB, current };
}
