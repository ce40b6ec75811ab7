import { User } from "@/lib/auth/schema";
import type { Ctx } from "@/lib/db/context";
import type { User as UserRow } from "@/lib/db/generated/client";

/** A person as the API shows them. */
export function describeUser(row: UserRow, lastSeenAt: Date | null): User {
  return User.parse({
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: row.state,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
  });
}

/** When each of these people last came, by a session or by a token. */
export async function lastSeenOf(ctx: Ctx, userIds: string[]): Promise<Map<string, Date>> {
  const where = { userId: { in: userIds } };
  const sessions = await ctx.db.session.groupBy({ by: ["userId"], where, _max: { lastSeenAt: true } });
  const tokens = await ctx.db.apiToken.groupBy({ by: ["userId"], where, _max: { lastUsedAt: true } });
  const latest = new Map<string, Date>();
  const seen = [
    ...sessions.map((row) => ({ userId: row.userId, at: row._max.lastSeenAt })),
    ...tokens.map((row) => ({ userId: row.userId, at: row._max.lastUsedAt })),
  ];
  for (const { userId, at } of seen) {
    const known = latest.get(userId);
    if (at !== null && (known === undefined || known < at)) latest.set(userId, at);
  }
  return latest;
}
