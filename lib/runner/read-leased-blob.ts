import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { readBlob } from "@/lib/skills/get-version-file";
import { requireWorker } from "./exchange";

/** The bytes of a blob, when a run this worker holds now needs them; else `not_found`. */
export async function readLeasedBlob(ctx: Ctx, sha256: string): Promise<Uint8Array<ArrayBuffer>> {
  const worker = requireWorker(ctx.actor);
  const leased = await ctx.db.run.findFirst({
    where: { workerId: worker.workerId, state: "running", version: { files: { some: { sha256 } } } },
    select: { id: true },
  });
  if (!leased) throw new AppError("not_found", `No run that this worker holds has a file ${sha256.slice(0, 7)}.`);
  return readBlob(ctx, sha256);
}
