import { queryOptions } from "@tanstack/react-query";
import { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { SkillAccess } from "@/lib/skills/access/schema";
import { Skill } from "@/lib/skills/schema";
import { api } from "./api";
import { skillPath, skillsKey } from "./skills";

const eligibilityPath = "/api/admin/eligibility";

/** Who and which agents see a skill. Workers come and go, so it is asked again while it is shown. */
export const accessQuery = (idOrName: string) =>
  queryOptions({
    queryKey: [...skillsKey, "access", idOrName],
    queryFn: ({ signal }) => api(`${skillPath(idOrName)}/access`, { schema: SkillAccess, signal }),
    staleTime: 5_000,
    refetchInterval: 15_000,
  });

export function adoptSkill(id: string): Promise<Skill> {
  return api(`${skillPath(id)}/adoption`, { method: "POST", schema: Skill });
}

export async function unadoptSkill(id: string): Promise<void> {
  await api(`${skillPath(id)}/adoption`, { method: "DELETE" });
}

/** Hands a personal skill to review for the organisation; the answer is the organisation’s skill. */
export function publishSkill(id: string): Promise<Skill> {
  return api(`${skillPath(id)}/publish`, { method: "POST", body: {}, schema: Skill });
}

/** Overrides of single skills, for admins. */
export const eligibilityQuery = queryOptions({
  queryKey: ["eligibility"],
  queryFn: ({ signal }) => api(eligibilityPath, { schema: EligibilityPolicy, signal }),
  staleTime: 5_000,
});

export function setEligibility(policy: EligibilityPolicy): Promise<EligibilityPolicy> {
  return api(eligibilityPath, { method: "PUT", body: policy, schema: EligibilityPolicy });
}
