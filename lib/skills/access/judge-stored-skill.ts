import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { addressOf, findEntry, type SkillAddress } from "@/lib/policy/eligibility/find-entry";
import { hostsOf } from "@/lib/policy/eligibility/hosts-of";
import { type JudgedSkill, judgeSkill } from "@/lib/policy/eligibility/judge-skill";
import { JsonObject, NO_REQUIREMENTS, SkillManifest } from "@/lib/skill-format/schema";
import type { SkillRow } from "../skill-access";
import { readEligibilityPolicy } from "./eligibility-policy";
import { onlineWorkers } from "./online-workers";

/** Judges a stored skill by the version that serves, or would. `capabilities`: see `hostsOf`. */
export async function judgeStoredSkill(ctx: Ctx, skill: SkillRow, capabilities: readonly string[] | null = null) {
  const version = skill.current ?? skill.pending;
  const manifest = version && parseJsonColumn(SkillManifest, version.manifest);
  const address = addressOfStored(skill);
  const judged: JudgedSkill = {
    ...address,
    isEnabled: skill.enabled,
    isListed: skill.listed,
    isApproved: skill.current?.state === "approved",
    always: manifest?.always ?? false,
    requirements: manifest?.requirements ?? NO_REQUIREMENTS,
  };
  const policy = await readEligibilityPolicy(ctx);
  const judgement = judgeSkill(judged, policy, hostsOf(await onlineWorkers(ctx), capabilities));
  return { ...judgement, manifest, override: findEntry(policy, address), address };
}

type Sourced = { provenance: string } | null;
type Stored = Parameters<typeof addressOf>[0] & { current: Sourced; pending: Sourced };

/** What an override can name a stored skill by. `marker`: the file that makes its folder a skill, where that is known. */
export function addressOfStored(skill: Stored, marker?: string): SkillAddress {
  const version = skill.current ?? skill.pending;
  const folder = version && parseJsonColumn(JsonObject, version.provenance).folder;
  return addressOf(skill, { folder, ...(marker === undefined ? {} : { marker }) });
}
