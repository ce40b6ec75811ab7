import type { Scope } from "@/lib/core/actor";

const PREFIX = "playground:";

export const UNISSUED_NAME = "playground";
/** What such an agent may do, and never more than its person. */
export const UNISSUED_SCOPES: readonly Scope[] = ["read", "run"];

/**
 * Names the token of an agent that the server itself runs for a person. It is kept nowhere and nobody holds it; what is
 * known of it are the agent sessions that were opened with it.
 */
export function unissuedTokenId(id: string): string {
  return `${PREFIX}${id}`;
}

export function isUnissued(tokenId: string): boolean {
  return tokenId.startsWith(PREFIX);
}
