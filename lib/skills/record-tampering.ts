import { recordEvent } from "@/lib/audit/record-event";
import { logger } from "@/lib/core/logger";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

type Tampering = {
  skill: { id: string; name: string; toolName: string; class: string; ownerId: string | null };
  versionDigest: string;
  /** The end of a sentence: “its list of files is not the one that was approved”. */
  problem: string;
  runId?: string;
  /** Of a file whose stored bytes are wrong: every version that has it is marked. */
  sha256?: string;
};

/**
 * Tells the audit that something governed by an approval was changed. What is refused because of it rolls back, so the
 * event has a transaction of its own; when the caller has one open, it is written as soon as that one is over.
 */
export async function recordTampering(
  ctx: Ctx,
  { skill, versionDigest, problem, runId, sha256 }: Tampering,
): Promise<void> {
  const { tx: open, ...rest } = ctx;
  const outside: Ctx = { ...rest, db: ctx.database.reader };
  const written = inTransaction(outside, async (tx) => {
    if (sha256 !== undefined) {
      const having = { tampered: null, files: { some: { sha256 } } };
      await tx.version.updateMany({ where: having, data: { tampered: problem } });
    }
    await recordEvent(tx, outside, {
      action: "version.tampered",
      outcome: "refused",
      concerns: skill.ownerId,
      summary: `was refused ${skill.name} ${versionDigest.slice(0, 7)}: ${problem}`,
      target: { kind: "skill", id: skill.id, name: skill.name },
      skillId: skill.id,
      versionDigest,
      tool: skill.toolName,
      class: skill.class,
      ...(runId ? { runId } : {}),
      data: { problem },
    });
  });
  if (!open) return written;
  written.catch((err: unknown) => logger.error({ err, versionDigest }, "a changed version could not be recorded"));
}
