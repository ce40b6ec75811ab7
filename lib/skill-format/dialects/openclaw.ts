import type { Dialect } from "./dialect";
import { requirementRows } from "./requirement-rows";

/**
 * The namespace that GSV and the OpenClaw family share (GSV "Skills Frontmatter Reference"; ClawHub `metadata.openclaw`), and
 * OpenClaw's former names. The first that is there wins entirely: an empty `gsv` hides what `openclaw` requires.
 */
export const openclaw: Dialect = {
  vendor: "openclaw",
  at: [
    ...["metadata.gsv", "metadata.openclaw", "metadata.clawdbot"],
    ...["metadata.moltbot", "metadata.clawdis", "metadata.clawdhub"],
  ],
  fields: [
    { from: "emoji", kind: "text", to: "emoji" },
    { from: "always", kind: "flag", to: "always" },
    { from: "homepage", kind: "text", to: "homepage" },
    { from: "tags", kind: "texts", to: "tags" },
    { from: "requires", kind: "requirementMap", to: "unknown" },
    ...requirementRows("requires"),
    { from: "os", kind: "requirement", to: "os" },
    { from: "primaryEnv", kind: "requirement", to: "env" },
    { from: "envVars", kind: "environment", to: "env" },
    { from: "install", kind: "install", to: "install" },
  ],
};

/**
 * The same requirements as some skills write them, at the top level. Other programs require other things there (`mcp: [rube]`),
 * which are left to them; what is no mapping at all is a requirement that cannot be read.
 */
export const openclawTopLevel: Dialect = {
  vendor: "openclaw",
  fields: [
    { from: "emoji", kind: "text", to: "emoji" },
    { from: "requires", kind: "looseRequirementMap", to: "unknown" },
    ...requirementRows("requires"),
    { from: "install", kind: "install", to: "install", keep: true },
  ],
};
