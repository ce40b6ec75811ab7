import { z } from "zod";

/** Marketplace names that Claude Code reserves for its maker (from its binary, 2.1.329); adding one of them fails. */
const RESERVED = new Set([
  "agent-skills",
  "anthropic-agent-skills",
  "anthropic-marketplace",
  "anthropic-plugins",
  "claude-code-marketplace",
  "claude-code-plugins",
  "claude-community",
  "claude-plugin-directory",
  "claude-plugins-official",
  "first-party-plugins",
  "knowledge-work-plugins",
  "life-sciences",
]);
const LOOKS_OFFICIAL = /^(?:anthropic|claude|openai|codex)(?:-|$)|(?:^|-)official(?:-|$)/;

/** Whether a client would refuse a marketplace of this name or show it as official. */
export function isReservedMarketplace(name: string): boolean {
  return RESERVED.has(name) || LOOKS_OFFICIAL.test(name);
}

/** Used by clients as `plugin@name`. */
export const MarketplaceName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "use lower-case words joined by hyphens")
  .refine((name) => !isReservedMarketplace(name), "choose another name: Claude Code reserves this one");
