import { keepParsed } from "@/lib/core/keep-parsed";
import type { AgentSession } from "@/lib/db/generated/client";
import type { OfferTo } from "../offers/offered-skills";
import { Patterns } from "./session-columns";

/** What skills are offered by in a session: what the agent's own host can do, and whether a person can be asked there. */
export function offerTo({ capabilities }: AgentSession, canConfirm = true): OfferTo {
  return { capabilities: capabilities === null ? null : keepParsed(Patterns, capabilities), canConfirm };
}
