import { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { SkillAccess } from "@/lib/skills/access/schema";
import { Skill } from "@/lib/skills/schema";
import { sendDelete, sendPost, sendPut } from "./api";
import { answerQuery } from "./queries";
import { skillPath, skillsKey } from "./skills";

const eligibilityPath = "/api/admin/eligibility";

/** Who sees a skill; polled, because workers come and go. */
export const accessQuery = (idOrName: string) =>
  answerQuery([...skillsKey, "access", idOrName], `${skillPath(idOrName)}/access`, SkillAccess, {
    staleTime: 5_000,
    refetchInterval: 15_000,
  });

export const adoptSkill = (id: string) => sendPost(`${skillPath(id)}/adoption`, Skill);

export const unadoptSkill = (id: string) => sendDelete(`${skillPath(id)}/adoption`);

/** Submits a personal skill for review by the organisation; returns the organisation's skill. */
export const publishSkill = (id: string) => sendPost(`${skillPath(id)}/publish`, Skill, {});

export const eligibilityQuery = answerQuery(["eligibility"], eligibilityPath, EligibilityPolicy, { staleTime: 5_000 });

export const setEligibility = (policy: EligibilityPolicy) => sendPut(eligibilityPath, EligibilityPolicy, policy);
