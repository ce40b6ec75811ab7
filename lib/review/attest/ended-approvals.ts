import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { loadAttestationKeys, signersAt } from "./attestation-keys";
import { ENDED_TYPE, signEnvelope } from "./dsse";
import type { EndedApprovals, Envelope } from "./schema";

const ENDED = query<{ id: string }>(
  `SELECT d."id" FROM "Decision" d JOIN "Version" v ON v."id" = d."versionId" JOIN "Skill" s ON s."id" = v."skillId"
   WHERE d."decision" = 'approve' AND d."statement" IS NOT NULL
     AND (d."standing" <> 'counts' OR v."state" <> 'approved' OR s."deletedAt" IS NOT NULL)
   ORDER BY d."id"`,
);

/**
 * The ids of all approvals that are not in force any more, as a signed list: an envelope keeps saying what was approved then. Ids
 * are random, so the list tells nothing to those who hold no envelope.
 */
export async function listEndedApprovals(ctx: Ctx): Promise<Envelope> {
  const keys = await loadAttestationKeys(ctx.database.keyFolder, ctx.now());
  const rows = await sqlOf(ctx).all(ENDED);
  const list: EndedApprovals = { issuedAt: ctx.now().toISOString(), ended: rows.map(({ id }) => id) };
  return signEnvelope(ENDED_TYPE, JSON.stringify(list), signersAt(keys, ctx.now()));
}
