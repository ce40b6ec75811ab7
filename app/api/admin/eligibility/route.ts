import { route } from "@/lib/http/route";
import { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { getEligibilityPolicy, setEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";

export const GET = route({
  access: "admin",
  summary: "Overrides for single skills, and the settings that skills can require",
  answer: EligibilityPolicy,
  answersFrom: "rows",
  handle: ({ ctx }) => getEligibilityPolicy(ctx),
});

export const PUT = route({
  access: "admin",
  summary: "Replace the overrides and settings; the next request uses them",
  body: EligibilityPolicy,
  answer: EligibilityPolicy,
  ifMatch: ({ ctx }) => getEligibilityPolicy(ctx),
  handle: ({ ctx, body }) => setEligibilityPolicy(ctx, body),
});
