import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_FILE_BYTES, MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import { assertImportQuota } from "@/lib/skills/versions/store-version";
import { publicAddress } from "../public-address";
import type { UploadUrlInput } from "./schema";

const LIFETIME_MS = 60 * 60_000;

/**
 * Opens an upload for one file: returns its URL and the ticket that publishing hands in. Both are valid for an hour. A
 * person's open uploads together may have as many files and bytes as one skill (`too_large`).
 */
export async function openUpload(ctx: Ctx, { path, size, sha256 }: UploadUrlInput) {
  const { userId } = requireScope(ctx.actor, "write");
  await assertImportQuota(ctx, userId);
  safePath(path);
  if (size > MAX_FILE_BYTES) {
    throw new AppError(
      "too_large",
      `${path} is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB, the limit for a file.`,
    );
  }
  const at = ctx.now();
  const id = newId();
  const ticket = randomBytes(24).toString("base64url");
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.uploadTicket.deleteMany({ where: { expiresAt: { lte: at } } });
    const open = await tx.uploadTicket.aggregate({ where: { userId }, _count: { _all: true }, _sum: { size: true } });
    if (open._count._all >= MAX_SKILL_FILES || (open._sum.size ?? 0) + size > MAX_UNPACKED_BYTES) {
      throw new AppError(
        "too_large",
        `You have too many uploads that are not published yet: at most ${MAX_SKILL_FILES} files and ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB. They expire after an hour.`,
      );
    }
    await tx.uploadTicket.create({
      data: {
        ...{ id, userId, path, size, sha256, secretHash: sha256Hex(ticket) },
        createdAt: at,
        expiresAt: new Date(at.getTime() + LIFETIME_MS),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "upload.open",
      summary: `opened an upload for ${path}`,
      target: { kind: "upload", id, name: path },
      data: { size, sha256 },
    });
  });
  return { uploadUrl: publicAddress(`/api/v1/skills/-/upload?id=${id}`), uploadTicket: ticket };
}

/** Stores the bytes of an upload; `invalid` when they differ from the announced size or hash. Idempotent. */
export async function receiveUpload(
  ctx: Ctx,
  id: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ storageId: string }> {
  const { userId } = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const ticket = await tx.uploadTicket.findUnique({
      where: { id },
      select: { userId: true, size: true, sha256: true, path: true, expiresAt: true },
    });
    if (ticket === null || ticket.userId !== userId || ticket.expiresAt <= ctx.now()) {
      throw new AppError("not_found", "This upload is unknown or more than an hour old. Publish again.");
    }
    if (bytes.byteLength !== ticket.size || sha256Hex(bytes) !== ticket.sha256) {
      throw new AppError(
        "invalid",
        `The bytes of ${ticket.path} do not match the announced size and hash. Publish again.`,
      );
    }
    await tx.uploadTicket.update({ where: { id }, data: { bytes } });
    await recordEvent(tx, txCtx, {
      action: "upload.take",
      summary: `uploaded ${ticket.path}`,
      target: { kind: "upload", id, name: ticket.path },
      data: { size: ticket.size, sha256: ticket.sha256 },
    });
  });
  return { storageId: id };
}
