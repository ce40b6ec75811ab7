import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { SopKey as SopKeyRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import type { CreateSopKeyInput, SopAlgorithm, SopKey } from "@/lib/runner/schema";

/** Registers a public key for verifying procedures. `conflict` when this key is already registered. */
export async function createSopKey(ctx: Ctx, input: CreateSopKeyInput): Promise<SopKey> {
  const actor = requireScope(ctx.actor, "admin");
  const { key } = readSopKey(input.publicKey);
  const fingerprint = sha256Hex(key.export({ type: "spki", format: "der" }));
  return inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.sopKey.findFirst({ where: { fingerprint, revokedAt: null } });
    if (known !== null) throw new AppError("conflict", `This key is already registered as “${known.name}”.`);
    const row = await tx.sopKey.create({
      data: {
        id: newId(),
        name: input.name,
        publicKey: key.export({ type: "spki", format: "pem" }).toString(),
        fingerprint,
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "sop-key.create",
      summary: `registered the key “${row.name}” for procedures`,
      target: { kind: "sop-key", id: row.id, name: row.name },
      data: { fingerprint },
    });
    return presentSopKey(row);
  });
}

/** Revokes a key: procedures signed with it become invalid, and runs that wait under them will not start. */
export async function deleteSopKey(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.sopKey.findUnique({ where: { id } });
    if (row === null || row.revokedAt !== null) throw new AppError("not_found", `There is no key ${id.slice(0, 64)}.`);
    await tx.sopKey.update({ where: { id }, data: { revokedAt: ctx.now() } });
    const signed = await tx.sop.count({ where: { keyId: id, deletedAt: null } });
    await recordEvent(tx, txCtx, {
      action: "sop-key.delete",
      summary: `withdrew the key “${row.name}”, which ${signed} procedures are signed with`,
      target: { kind: "sop-key", id, name: row.name },
      data: { fingerprint: row.fingerprint, signed },
    });
  });
}

/** The registered keys, newest first. */
export async function listSopKeys(ctx: Ctx, query: PageQuery): Promise<Page<SopKey>> {
  requireScope(ctx.actor, "admin");
  const before = query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } };
  const rows = await ctx.db.sopKey.findMany({
    where: { revokedAt: null, ...before },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: page.items.map(presentSopKey), nextCursor: page.nextCursor };
}

function presentSopKey(row: SopKeyRow): SopKey {
  return {
    id: row.id,
    name: row.name,
    fingerprint: row.fingerprint,
    bits: readSopKey(row.publicKey).bits,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}

const MIN_BITS = 2048;
const MAX_BITS = 8192;

/** Parses an RSA public key of 2048 to 8192 bits in PEM form; `invalid` for anything else, including private keys. */
function readSopKey(pem: string): { key: KeyObject; bits: number } {
  if (/PRIVATE KEY/.test(pem)) throw invalidKey("is a private key; register the public key and keep this one secret");
  const key = parseKey(pem);
  if (key.asymmetricKeyType !== "rsa") throw invalidKey(`is of type ${key.asymmetricKeyType}, not rsa`);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_BITS || bits > MAX_BITS) {
    throw invalidKey(`has ${bits} bits; ${MIN_BITS} to ${MAX_BITS} are accepted`);
  }
  return { key, bits };
}

/** Whether the signature (base64) by the key's holder covers exactly this text, as UTF-8. */
export function isSopSigned(document: {
  text: string;
  signature: string;
  algorithm: SopAlgorithm;
  publicKey: string;
}): boolean {
  const { key } = readSopKey(document.publicKey);
  const padding =
    document.algorithm === "rsa-pss-sha256" ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const options = { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  return verify("sha256", Buffer.from(document.text, "utf8"), options, Buffer.from(document.signature, "base64"));
}

function parseKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw invalidKey("is not a public key in PEM form");
  }
}

function invalidKey(message: string): AppError {
  return new AppError("invalid", `The key cannot be registered: publicKey ${message}.`, {
    errors: [{ path: "publicKey", message }],
  });
}
