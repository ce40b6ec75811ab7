import type { Dialect } from "./dialect";

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
    { from: "requires.bins", kind: "requirement", to: "bins" },
    { from: "requires.anyBins", kind: "requirement", to: "anyBins" },
    { from: "requires.env", kind: "requirement", to: "env" },
    { from: "requires.config", kind: "requirement", to: "config" },
    { from: "requires.capabilities", kind: "capabilities", to: "capabilities" },
    { from: "requires.os", kind: "requirement", to: "os" },
    { from: "requires.credentials", kind: "credentials", to: "credentials" },
    { from: "os", kind: "requirement", to: "os" },
    { from: "primaryEnv", kind: "requirement", to: "env" },
    { from: "envVars", kind: "environment", to: "env" },
    { from: "install", kind: "install", to: "install" },
  ],
};

/** The same requirements as some skills write them, at the top level. Other programs mean other things by these names. */
export const openclawTopLevel: Dialect = {
  vendor: "openclaw",
  fields: [
    { from: "emoji", kind: "text", to: "emoji" },
    { from: "requires.bins", kind: "requirement", to: "bins" },
    { from: "requires.anyBins", kind: "requirement", to: "anyBins" },
    { from: "requires.env", kind: "requirement", to: "env" },
    { from: "requires.capabilities", kind: "capabilities", to: "capabilities" },
    { from: "install", kind: "install", to: "install", keep: true },
  ],
};
