import type { AgentView } from "@/lib/client/agents";

/** Why skills that are switched on are not offered, in plain words. */
export const hiddenWords: Record<AgentView["hidden"][number]["reason"], string> = {
  unlisted: "An admin took it off the list",
  unapproved: "No version of it is approved",
  persona: "The persona keeps it away",
  mode: "The persona’s permission mode refuses its class",
  scope: "The token may not run skills",
  confirmation: "A person has to confirm it",
  pipeline: "A step of it cannot be called",
  override: "An admin hides it from agents",
  requirements: "What it requires cannot be read",
  runtime: "Something it requires is missing",
  schema: "The schema of its arguments is invalid",
  name: "Another skill comes first under its name",
  "model-invocation": "Only people start it",
  keyword: "No keyword of it was said",
};
