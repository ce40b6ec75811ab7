import { recordEvent } from "@/lib/audit/record-event";
import type { AddSshKeyInput, SshKey } from "@/lib/auth/schema";
import { requireBrowser } from "@/lib/auth/sessions/sessions";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import { verifySshSignature } from "@/lib/core/ssh-signature";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";

/** Namespace of the signature by which a person proves that a key is theirs. Its message is the person's id. */
const KEY_NAMESPACE = "skillgate-key";

const MAX_KEYS = 20;

/** The SSH keys of the signed-in person, oldest first. */
export async function listSshKeys(ctx: Ctx): Promise<{ items: SshKey[] }> {
  const { userId } = requireBrowser(ctx.actor);
  const rows = await ctx.db.sshKey.findMany({ where: { userId }, orderBy: { id: "asc" } });
  return { items: rows.map(present) };
}

/**
 * Registers the key that made the proof. Browsers only, so that a stolen token cannot add a key. Throws `invalid` for another proof and
 * `conflict` for a key that is registered, by this person or another.
 */
export async function addSshKey(ctx: Ctx, { name, proof }: AddSshKeyInput): Promise<SshKey> {
  const actor = requireBrowser(ctx.actor);
  const message = Buffer.from(actor.userId);
  const verified = verifySshSignature(proof, { namespace: KEY_NAMESPACE, message });
  if (verified.problem !== null) {
    const errors = [{ path: "proof", message: `This signature does not count: ${verified.problem}` }];
    throw new AppError("invalid", `The key was not added, because of its signature: ${verified.problem}.`, { errors });
  }
  const { publicKey, fingerprint } = verified.key;
  return inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.sshKey.findUnique({ where: { fingerprint } });
    if (known !== null) {
      const whose = known.userId === actor.userId ? `you have it as “${known.name}”` : "another person has it";
      throw new AppError("conflict", `The key ${fingerprint} is already registered: ${whose}.`);
    }
    if ((await tx.sshKey.count({ where: { userId: actor.userId } })) >= MAX_KEYS) {
      throw new AppError("conflict", `You have ${MAX_KEYS} SSH keys. Remove one first.`);
    }
    const data = { id: newId(), userId: actor.userId, name, publicKey, fingerprint, createdAt: ctx.now() };
    const row = await tx.sshKey.create({ data });
    await recordEvent(tx, txCtx, {
      action: "ssh_key.add",
      summary: `added the SSH key “${name}”`,
      target: { kind: "user", id: actor.userId, name: actor.name },
      data: { fingerprint, publicKey },
    });
    return present(row);
  });
}

/** Removes a key of the signed-in person. Signatures that it made stay where they are. */
export async function removeSshKey(ctx: Ctx, id: string): Promise<void> {
  const actor = requireBrowser(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.sshKey.findUnique({ where: { id } });
    if (row?.userId !== actor.userId) throw new AppError("not_found", `There is no SSH key ${id}.`);
    await tx.sshKey.delete({ where: { id } });
    await recordEvent(tx, txCtx, {
      action: "ssh_key.remove",
      summary: `removed the SSH key “${row.name}”`,
      target: { kind: "user", id: actor.userId, name: actor.name },
      data: { fingerprint: row.fingerprint },
    });
  });
}

type Row = { id: string; name: string; publicKey: string; fingerprint: string; createdAt: Date };

function present({ id, name, publicKey, fingerprint, createdAt }: Row): SshKey {
  return { id, name, publicKey, fingerprint, createdAt: createdAt.toISOString() };
}
