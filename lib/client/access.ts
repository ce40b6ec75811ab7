import type { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import type { SkillAccess } from "@/lib/skills/access/schema";
import type { Skill } from "@/lib/skills/schema";
import { answerOf, sendDelete, sendPost, sendPut } from "./api";
import { answerQuery } from "./queries";
import { skillPath, skillsKey } from "./skills";

const eligibilityPath = "/api/admin/eligibility";

/** Who sees a skill; polled, because workers come and go. */
export const accessQuery = (idOrName: string) =>
  answerQuery([...skillsKey, "access", idOrName], `${skillPath(idOrName)}/access`, answerOf<SkillAccess>(), {
    staleTime: 5_000,
    refetchInterval: 15_000,
  });

export const adoptSkill = (id: string) => sendPost(`${skillPath(id)}/adoption`, answerOf<Skill>());

export const unadoptSkill = (id: string) => sendDelete(`${skillPath(id)}/adoption`);

/** Submits a personal skill for review by the organisation; returns the organisation's skill. */
export const publishSkill = (id: string) => sendPost(`${skillPath(id)}/publish`, answerOf<Skill>(), {});

export const eligibilityQuery = answerQuery(["eligibility"], eligibilityPath, answerOf<EligibilityPolicy>(), {
  staleTime: 5_000,
});

export const setEligibility = (policy: EligibilityPolicy) =>
  sendPut(eligibilityPath, answerOf<EligibilityPolicy>(), policy);
