import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import { loadSealingKey, seal, unseal } from "@/lib/core/seal";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { Credential as CredentialRow } from "@/lib/db/generated/client";
import { Grants } from "@/lib/policy/grants/schema";
import { requireScope } from "@/lib/policy/require-scope";
import type {
  CreateCredentialInput,
  Credential,
  CredentialList,
  CredentialNames,
  PatchCredentialInput,
} from "./schema";

/** Encrypts a value for the credential with this id; another id cannot decrypt it. */
async function sealCredential(ctx: Ctx, id: string, value: string): Promise<Uint8Array<ArrayBuffer>> {
  return seal(await loadSealingKey(ctx.database.keyFolder), boundTo(id), value);
}

/** The value; null when it was sealed with another key than this instance's. */
export async function unsealCredential(ctx: Ctx, row: { id: string; sealed: Uint8Array }): Promise<string | null> {
  return unseal(await loadSealingKey(ctx.database.keyFolder), boundTo(row.id), row.sealed);
}

function boundTo(id: string): string {
  return `credential ${id}`;
}

type SkillRef = { id: string; name: string };

/** Skills whose approved versions are granted a credential, by the credential's name. */
async function findCredentialUsers(db: Tx): Promise<Map<string, SkillRef[]>> {
  const versions = await db.version.findMany({
    where: { state: "approved", grants: { contains: '"credential":' } },
    select: { grants: true, skill: { select: { id: true, name: true } } },
    orderBy: [{ skill: { name: "asc" } }, { id: "asc" }],
  });
  const users = new Map<string, SkillRef[]>();
  for (const { grants, skill } of versions) {
    for (const { credential } of parseJsonColumn(Grants, grants ?? "{}").credentials ?? []) {
      const known = users.get(credential) ?? [];
      if (!known.some(({ id }) => id === skill.id)) known.push(skill);
      users.set(credential, known);
    }
  }
  return users;
}

/** Index of the first granted credential that is not stored; null when all are. */
export async function findMissingCredential(db: Tx, { credentials = [] }: Grants): Promise<number | null> {
  if (credentials.length === 0) return null;
  const names = credentials.map(({ credential }) => credential);
  const rows = await db.credential.findMany({ where: { name: { in: names } }, select: { name: true } });
  const stored = new Set(rows.map(({ name }) => name));
  const missing = names.findIndex((name) => !stored.has(name));
  return missing === -1 ? null : missing;
}

/** Every credential by name, without its value, with the skills that use it. */
export async function listCredentials(ctx: Ctx): Promise<CredentialList> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.credential.findMany({ orderBy: { name: "asc" } });
  if (rows.length === 0) return { items: [] };
  const users = await findCredentialUsers(ctx.db);
  return { items: rows.map((row) => presentCredential(row, users.get(row.name) ?? [])) };
}

/** Names and descriptions that a reviewer can grant. */
export async function listCredentialNames(ctx: Ctx): Promise<CredentialNames> {
  requireScope(ctx.actor, "review");
  const select = { name: true, description: true };
  return { items: await ctx.db.credential.findMany({ orderBy: { name: "asc" }, select }) };
}

function presentCredential(row: Omit<CredentialRow, "sealed">, usedBy: Credential["usedBy"]): Credential {
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

/** `conflict` when the name exists. Versions that were granted a deleted credential of this name get the new value. */
export async function createCredential(ctx: Ctx, input: CreateCredentialInput): Promise<Credential> {
  const actor = requireScope(ctx.actor, "admin");
  const id = newId();
  const sealed = await sealCredential(ctx, id, input.value);
  return inTransaction(ctx, async (tx, txCtx) => {
    const { name, description } = input;
    if ((await tx.credential.count({ where: { name } })) > 0) {
      throw new AppError("conflict", `A credential “${name}” already exists. Choose another name or change that one.`);
    }
    const by = { createdAt: ctx.now(), createdBy: actor.name, updatedAt: ctx.now(), updatedBy: actor.name };
    const row = await tx.credential.create({ data: { id, name, description, sealed, ...by } });
    await recordEvent(tx, txCtx, {
      action: "credential.create",
      summary: `stored the credential ${name}`,
      target: { kind: "credential", id, name },
      data: { description },
    });
    return presentCredential(row, (await findCredentialUsers(tx)).get(name) ?? []);
  });
}

/** Changes the value, for runs that start from now on, or the description. */
export async function updateCredential(ctx: Ctx, id: string, input: PatchCredentialInput): Promise<Credential> {
  const actor = requireScope(ctx.actor, "admin");
  const sealed = input.value === undefined ? null : await sealCredential(ctx, id, input.value);
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await requireCredential(tx, id);
    const { description = before.description } = input;
    const data = { description, ...(sealed ? { sealed } : {}), updatedAt: ctx.now(), updatedBy: actor.name };
    const row = await tx.credential.update({ where: { id }, data });
    await recordEvent(tx, txCtx, {
      action: sealed ? "credential.rotate" : "credential.update",
      summary: sealed
        ? `changed the value of the credential ${row.name}`
        : `changed the description of the credential ${row.name}`,
      target: { kind: "credential", id, name: row.name },
      data: description === before.description ? {} : { before: before.description, after: description },
    });
    return presentCredential(row, (await findCredentialUsers(tx)).get(row.name) ?? []);
  });
}

async function requireCredential(tx: Tx, id: string): Promise<CredentialRow> {
  const row = await tx.credential.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no credential ${id.slice(0, 64)}.`);
  return row;
}

const NAMED = 10;

/** `conflict` while approved skills use it. With `force`, their runs are refused until the name exists again. */
export async function deleteCredential(ctx: Ctx, id: string, { force }: { force: boolean }): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const { name } = await requireCredential(tx, id);
    const users = (await findCredentialUsers(tx)).get(name) ?? [];
    if (users.length > 0 && !force) {
      throw new AppError(
        "conflict",
        `The credential ${name} is used by ${listNames(users)}. Their runs would be refused.`,
      );
    }
    await tx.credential.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "credential.delete",
      summary: `deleted the credential ${name}${users.length > 0 ? `, used by ${listNames(users)}` : ""}`,
      target: { kind: "credential", id, name },
      data: { usedBy: users.map((user) => user.name) },
    });
  });
}

function listNames(users: { name: string }[]): string {
  const names = users.slice(0, NAMED).map((user) => `“${user.name}”`);
  const more = users.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
