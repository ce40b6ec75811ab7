import { ApiToken } from "@/lib/auth/schema";
import type { Prisma } from "@/lib/db/generated/client";

/** What a token's description needs beside its own row. */
export const tokenInclude = { user: true, persona: true } satisfies Prisma.ApiTokenInclude;
type TokenRow = Prisma.ApiTokenGetPayload<{ include: typeof tokenInclude }>;

/** A token as the API shows it, never with its secret. */
export function describeToken(row: TokenRow): ApiToken {
  return ApiToken.parse({
    id: row.id,
    name: row.name,
    userId: row.userId,
    userName: row.user.name,
    scopes: JSON.parse(row.scopes),
    persona: row.personaId,
    personaName: row.persona?.name ?? null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  });
}
