import { z } from "zod";

/**
 * Marketplace names that Claude Code keeps for its maker or for other purposes, and at the end those that Claude Desktop
 * refuses (code.claude.com/docs/en/plugins/marketplace-reference, October 2026). Adding one of them fails.
 */
const RESERVED = new Set(
  `agent-skills anthropic-agent-skills anthropic-marketplace anthropic-plugin-directory anthropic-plugins
   claude-code-marketplace claude-code-plugins claude-community claude-for-financial-services claude-for-legal
   claude-plugin-directory claude-plugin-test claude-plugins-community claude-plugins-official claude-tag-plugins
   financial-services-plugins first-party-plugins healthcare knowledge-work-plugins life-sciences
   builtin inline skills-dir synced
   cargo gh github npm pip uv
   org org-provisioned unknown`.split(/\s+/),
);
const LOOKS_OFFICIAL =
  /^(?:anthropic|claude|claudeai|openai|codex)(?:-|$)|(?:^|-)official(?:-|$)|official-?(?:anthropic|claude)|(?:anthropic|claude)-?official/;

/** Whether a client would refuse a marketplace of this name or show it as official. Other symbols count as hyphens. */
export function isReservedMarketplace(name: string): boolean {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return RESERVED.has(plain) || LOOKS_OFFICIAL.test(plain);
}

/** A name of lower-case words that no client keeps for others, made of one that `isReservedMarketplace`. */
export function renameReserved(name: string): string {
  return `skillgate-${name.replaceAll("official", "approved")}`;
}

/** Used by clients as `plugin@name`. */
export const MarketplaceName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "use lower-case words joined by hyphens")
  .refine((name) => !isReservedMarketplace(name), "choose another name: Claude Code reserves this one");
