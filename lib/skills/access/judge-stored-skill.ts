import { isAgent } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { keepParsed, parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { query, sqlOf } from "@/lib/db/sql";
import { addressOf, findEntry, type SkillAddress } from "@/lib/policy/eligibility/find-entry";
import { hostsOf, type JudgedSkill, judgeSkill, type OnlineWorker } from "@/lib/policy/eligibility/judge-skill";
import { WorkerOffers } from "@/lib/policy/eligibility/schema";
import { JsonObject, NO_REQUIREMENTS, SkillManifest } from "@/lib/skill-format/schema";

import { LEASE_SECONDS } from "@/lib/worker/protocol";
import type { SkillRow } from "../skill-access";
import { readEligibilityPolicy } from "./eligibility-policy";

/** Evaluates the active version of a skill, else its pending one. `capabilities`: see `hostsOf`. */
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

/** Keys by which an override can name a skill. `marker`: the file that makes its folder a skill. */
export function addressOfStored(skill: Stored, marker?: string): SkillAddress {
  const version = skill.current ?? skill.pending;
  const folder = version && parseJsonColumn(JsonObject, version.provenance).folder;
  return addressOf(skill, { folder, ...(marker === undefined ? {} : { marker }) });
}

/**
 * Throws `forbidden` with the failed stage when an agent requests an ineligible skill: disabled, unlisted, or with
 * unmet requirements. People may still use it. `capabilities`: those that the agent's own host reports; see `hostsOf`.
 */
export async function assertOffered(
  ctx: Ctx,
  skill: SkillRow,
  capabilities: readonly string[] | null = null,
): Promise<void> {
  if (!isAgent(ctx.actor)) return;
  const { stages } = await judgeStoredSkill(ctx, skill, capabilities);
  const failed = stages.find(({ passed }) => !passed);
  if (failed === undefined) return;
  const message = `“${skill.name}” is not offered to agents. ${failed.reason}`;
  throw new AppError("forbidden", message, { rule: `ineligible-${failed.stage}` });
}

const ONLINE = query<{ name: string; platform: string | null; offers: string }>(
  `SELECT "name", "platform", "offers" FROM "Worker" WHERE "revokedAt" IS NULL AND "lastSeenAt" >= ? ORDER BY "name"`,
);

/** Workers that reported within two lease periods, with their capabilities. */
export async function onlineWorkers(ctx: Ctx): Promise<OnlineWorker[]> {
  const since = new Date(ctx.now().getTime() - LEASE_SECONDS * 2 * 1000);
  const rows = await sqlOf(ctx).all(ONLINE, since);
  return rows.map(({ name, platform, offers }) => ({
    name,
    os: platform?.split(" ")[0] ?? "",
    offers: keepParsed(WorkerOffers, offers),
  }));
}
