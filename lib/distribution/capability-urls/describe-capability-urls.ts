import type { Ctx } from "@/lib/db/context";
import type { CapabilityUrl as Row } from "@/lib/db/generated/client";
import { CapabilityScopeKind, type CapabilityUrl } from "./schema";

/** Capability URLs as the API shows them, in the same order and never with a token. */
export async function describeCapabilityUrls(ctx: Ctx, rows: Row[]): Promise<CapabilityUrl[]> {
  const labels = await readLabels(ctx, rows);
  const now = ctx.now();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scope: {
      kind: CapabilityScopeKind.parse(row.scopeKind),
      id: row.scopeId,
      label:
        row.scopeId === null
          ? "Everything you can use"
          : (labels.get(row.scopeId) ?? `A ${row.scopeKind} that is gone`),
    },
    persona: row.personaId,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expired: row.expiresAt <= now,
  }));
}

async function readLabels(ctx: Ctx, rows: Row[]): Promise<Map<string, string>> {
  const idsOf = (kind: string) => ({ in: rows.flatMap((row) => (row.scopeKind === kind ? (row.scopeId ?? []) : [])) });
  const skills = await ctx.db.skill.findMany({ where: { id: idsOf("skill") }, select: { id: true, name: true } });
  const publishers = await ctx.db.publisher.findMany({
    where: { id: idsOf("publisher") },
    select: { id: true, displayName: true },
  });
  const collections = await ctx.db.collection.findMany({
    where: { id: idsOf("collection") },
    select: { id: true, title: true },
  });
  return new Map([
    ...skills.map(({ id, name }) => [id, name] as const),
    ...publishers.map(({ id, displayName }) => [id, `Skills of ${displayName}`] as const),
    ...collections.map(({ id, title }) => [id, `Collection ${title}`] as const),
  ]);
}
