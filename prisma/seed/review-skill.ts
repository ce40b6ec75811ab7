import { decideVersion } from "@/lib/review/decide-version";
import type { DecideVersionInput } from "@/lib/review/schema";
import { getSkill } from "@/lib/skills/get-skill";
import { updateSkill } from "@/lib/skills/update-skill";
import type { PersonKey } from "./people";
import { skillId, type World } from "./world";

type Decided = Partial<DecideVersionInput> & { by: PersonKey; at: Date };

/** Decides on the version that waits, or for `revoke` on the one that serves. */
export async function decide(world: World, skill: string, { by, at, ...input }: Decided): Promise<void> {
  const ctx = world.person(by, at);
  const { pendingVersion, currentVersion } = await getSkill(ctx, skillId(world, skill));
  const decision = input.decision ?? "approve";
  const version = decision === "revoke" ? currentVersion : pendingVersion;
  if (!version) throw new Error(`${skill} has no version to ${decision}.`);
  await decideVersion(ctx, skillId(world, skill), version.digest, { comment: "", ...input, decision });
}

export async function switchSkill(
  world: World,
  skill: string,
  { by, at, on }: { by: PersonKey; at: Date; on: boolean },
): Promise<void> {
  await updateSkill(world.person(by, at), skillId(world, skill), { enabled: on });
}
