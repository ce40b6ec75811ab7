import type { Ctx } from "@/lib/db/context";
import type { EnabledSkill } from "../offers/enabled-skills";

type Read = Pick<EnabledSkill, "id" | "digest" | "manifest">;

/**
 * Whether a model may read the files of a version of an offered skill: always, unless only people start it
 * (`disable-model-invocation`). Then a person has to have started this version, by its prompt, in this session.
 */
export async function mayModelRead(ctx: Ctx, sessionId: string, { id, digest, manifest }: Read): Promise<boolean> {
  if (!manifest.disableModelInvocation) return true;
  // A load by the model itself is refused, so what was loaded was started by a person.
  const loaded = { sessionId, kind: "loaded", outcome: "ok", skillId: id, versionDigest: digest };
  return (await ctx.db.agentStep.findFirst({ where: loaded, select: { id: true } })) !== null;
}
