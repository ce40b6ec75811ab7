import type { Ctx } from "@/lib/db/context";
import { decideVersion } from "@/lib/review/decide-version";
import { updateSkill } from "@/lib/skills/edit-skills";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { packFiles, zipUpload } from "./sample-packs";

/** Imports a pack as `owner`, approves it as `reviewer`, and enables it. */
export async function approvedSkill(owner: Ctx, reviewer: Ctx, options: Parameters<typeof packFiles>[0] = {}) {
  const upload = await zipUpload("pack", packFiles(options));
  const [skill] = (await importSkills(owner, { ...upload, owner: "me" })).skills;
  const digest = skill?.pendingVersion?.digest;
  if (!skill || !digest) throw new Error("the pack was not imported");
  await decideVersion(reviewer, skill.id, digest, { decision: "approve", comment: "" });
  await updateSkill(owner, skill.id, { enabled: true });
  return { id: skill.id, digest };
}
