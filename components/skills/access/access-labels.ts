import type { SkillAccess, Viewer } from "@/lib/skills/access/schema";
import type { Rival } from "@/lib/skills/schema";

export const scopeNames: Record<Rival["scope"], string> = {
  persona: "persona",
  personal: "personal",
  organisation: "organisation",
  integration: "integration",
  worker: "worker",
};

/** Each stage as the question it answers. */
export const stageNames: Record<Viewer["stages"][number]["stage"], string> = {
  reach: "Is it in reach?",
  persona: "Does the persona allow it?",
  switch: "Is it approved and on?",
  requirements: "Can its requirements be read?",
  runtime: "Is what it requires there?",
  name: "Does its name mean it?",
};

export const requirementNames: Record<SkillAccess["requirements"][number]["kind"], string> = {
  invalid: "Cannot be read",
  capability: "Capability",
  os: "System",
  bin: "Program",
  "any-bin": "One of the programs",
  env: "Variable",
  config: "Setting",
};
