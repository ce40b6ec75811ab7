import { route } from "@/lib/http/route";
import { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { getEligibilityPolicy, setEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";

export const GET = route({
  access: "admin",
  summary: "Overrides of single skills, and the settings that skills may require",
  answer: EligibilityPolicy,
  handle: ({ ctx }) => getEligibilityPolicy(ctx),
});

export const PUT = route({
  access: "admin",
  summary: "Replace the overrides and settings; they hold from the next question on",
  body: EligibilityPolicy,
  answer: EligibilityPolicy,
  ifMatch: ({ ctx }) => getEligibilityPolicy(ctx),
  handle: ({ ctx, body }) => setEligibilityPolicy(ctx, body),
});
