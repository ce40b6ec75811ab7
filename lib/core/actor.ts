import { z } from "zod";

export const Role = z.enum(["user", "reviewer", "admin"]);
export type Role = z.infer<typeof Role>;

export const Scope = z.enum(["read", "run", "write", "review", "admin"]);
export type Scope = z.infer<typeof Scope>;

/**
 * The acting person, worker or process, which alone decides the rights. A token never has more rights than its person.
 */
export type Actor =
  | { kind: "user"; userId: string; name: string; email: string; role: Role; sessionId: string }
  | {
      kind: "token";
      userId: string;
      name: string;
      email: string;
      role: Role;
      tokenId: string;
      tokenName: string;
      scopes: Scope[];
      personaId: string | null;
      /** Set for a capability URL, which anybody who has it can use to read as its person. */
      isCapabilityUrl?: true;
    }
  | { kind: "worker"; workerId: string; name: string; manager: boolean }
  | { kind: "system"; name: string }
  | { kind: "anonymous" };

export type PersonActor = Extract<Actor, { userId: string }>;

export function isPerson(actor: Actor): actor is PersonActor {
  return actor.kind === "user" || actor.kind === "token";
}

type AgentActor = Extract<Actor, { kind: "token" }> & { personaId: string };

export function isAgent(actor: Actor): actor is AgentActor {
  return actor.kind === "token" && actor.personaId !== null;
}

/** Request that an actor came with; all null for background work. */
export type RequestInfo = {
  requestId: string | null;
  address: string | null;
  userAgent: string | null;
  agentSessionId?: string;
  /** Surface of that agent session; see `AgentSession.surface`. */
  agentSurface?: string;
  /** Trace id (W3C `traceparent`), of the caller or new. */
  traceId?: string | null;
  /** `traceparent` for what the request causes. */
  traceParent?: string;
  onceKey?: { actorKey: string; key: string };
};
