import type { Ctx } from "@/lib/db/context";
import type { Credential as CredentialRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import { findCredentialUsers } from "./find-users";
import type { Credential, CredentialList, CredentialNames } from "./schema";

/** Every credential by name, with what uses it and without a value. */
export async function listCredentials(ctx: Ctx): Promise<CredentialList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.credential.findMany({ orderBy: { name: "asc" } });
  const users = await findCredentialUsers(ctx.db);
  return { items: rows.map((row) => presentCredential(row, users.get(row.name) ?? [])) };
}

/** What there is to choose from when a version is approved. */
export async function listCredentialNames(ctx: Ctx): Promise<CredentialNames> {
  requireScope(ctx.actor, "review");
  const select = { name: true, description: true };
  return { items: await ctx.db.credential.findMany({ orderBy: { name: "asc" }, select }) };
}

export function presentCredential(row: Omit<CredentialRow, "sealed">, usedBy: Credential["usedBy"]): Credential {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedBy,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    usedBy,
  };
}
