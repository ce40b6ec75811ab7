import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Ctx } from "@/lib/db/context";
import type { HostFacts } from "@/lib/skill-format/manifest/report-fit";

/** Names that are looked up; a skill that asks for more is not taken at its word. */
const MAX_PROGRAMS = 100;

/**
 * Where skills run here: the platforms of the workers, or of this server while none has registered, and which of the
 * programs are on this server's PATH, which is what a worker beside it has.
 */
export async function hostFacts(ctx: Ctx, programs: string[]): Promise<HostFacts> {
  const workers = await ctx.db.worker.findMany({ where: { revokedAt: null }, select: { platform: true } });
  const named = workers.flatMap(({ platform }) => platform?.split(" ")[0] ?? []);
  const found = new Set<string>();
  for (const name of [...new Set(programs)].slice(0, MAX_PROGRAMS)) if (await isOnPath(name)) found.add(name);
  return { platforms: named.length > 0 ? [...new Set(named)] : [process.platform], programs: found };
}

async function isOnPath(name: string): Promise<boolean> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(name)) return false;
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    const isThere = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
