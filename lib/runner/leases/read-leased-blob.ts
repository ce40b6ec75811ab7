import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireWorker } from "@/lib/policy/require-scope";
import { readVerifiedBytes, recordTampering } from "@/lib/skills/versions/read-blob";

/** The bytes of a file of a run that this worker holds; else `not_found`. Changed bytes end the run, with `version.tampered`. */
export async function readLeasedBlob(ctx: Ctx, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const worker = requireWorker(ctx.actor);
  const leased = await ctx.db.run.findFirst({
    where: { workerId: worker.workerId, state: "running", version: { files: { some: { sha256 } } } },
    select: { id: true, versionDigest: true, skill: true },
  });
  if (!leased) throw new AppError("not_found", `No run that this worker holds has a file ${sha256.slice(0, 7)}.`);
  const bytes = await readVerifiedBytes(ctx, sha256);
  if (bytes !== null) return bytes;
  const name = sha256.slice(0, 7);
  const problem = `the stored bytes of ${name} differ from the approved ones`;
  await recordTampering(ctx, { ...leased, runId: leased.id, problem, sha256 });
  throw new AppError("not_found", `The stored bytes of ${name} were changed and are not delivered.`);
}
