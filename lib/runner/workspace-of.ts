import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import type { Grants } from "@/lib/policy/grants/schema";

/** Pipelines nest a few levels; a chain that is longer is not followed to its end. */
const MAX_PARENTS = 20;

type StartedRun = { id: string; callerId: string; sessionId: string | null; parentRunId: string | null };

/**
 * The workspace of a run that was granted one, as a worker knows it: the same for one caller's runs in a session, for the
 * runs below one pipeline run, else the run's own. Null without the grant. It is a hash, so that no session's id leaves
 * the server and nobody can name another's.
 */
export async function workspaceOf(ctx: Pick<Ctx, "db">, run: StartedRun, grants: Grants): Promise<string | null> {
  if (grants.workspace !== true) return null;
  const root = await rootOf(ctx, run);
  const shared = root.sessionId ? `session ${root.sessionId}` : `run ${root.id}`;
  return sha256Hex(`workspace\n${run.callerId}\n${shared}`).slice(0, 32);
}

async function rootOf(ctx: Pick<Ctx, "db">, run: StartedRun): Promise<Pick<StartedRun, "id" | "sessionId">> {
  let root: StartedRun = run;
  for (let level = 0; root.parentRunId !== null && level < MAX_PARENTS; level += 1) {
    const parent = await ctx.db.run.findUnique({
      where: { id: root.parentRunId },
      select: { id: true, callerId: true, sessionId: true, parentRunId: true },
    });
    if (parent === null) break;
    root = parent;
  }
  return root;
}
