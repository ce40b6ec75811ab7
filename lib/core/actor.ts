import { z } from "zod";

export const Role = z.enum(["user", "reviewer", "admin"]);
export type Role = z.infer<typeof Role>;

export const Scope = z.enum(["read", "run", "write", "review", "admin"]);
export type Scope = z.infer<typeof Scope>;

/** Who acts. Rights derive from it alone; a token never has more than its user has. */
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
      /** Set for a capability URL: it reads as its person, and everybody who has the address can ask. */
      isCapabilityUrl?: true;
    }
  | { kind: "worker"; workerId: string; name: string; manager: boolean }
  | { kind: "system"; name: string }
  | { kind: "anonymous" };

export type PersonActor = Extract<Actor, { userId: string }>;

export function isPerson(actor: Actor): actor is PersonActor {
  return actor.kind === "user" || actor.kind === "token";
}

export type AgentActor = Extract<Actor, { kind: "token" }> & { personaId: string };

/** Whether a program asks on an agent's behalf: its token acts under a persona. */
export function isAgent(actor: Actor): actor is AgentActor {
  return actor.kind === "token" && actor.personaId !== null;
}

/** What is known of the request an actor came by; all null for background work. */
export type RequestInfo = {
  requestId: string | null;
  address: string | null;
  userAgent: string | null;
  /** The agent session that the request belongs to. */
  agentSessionId?: string;
  /** How the agent of that session came in; see `AgentSession.surface`. */
  agentSurface?: string;
  /** Of the trace (W3C `traceparent`) that the request belongs to: its caller's, or one that began with it. */
  traceId?: string | null;
  /** The request as a step of that trace, for what it leads to. */
  traceParent?: string;
  /** Set while a request with an `Idempotency-Key` is carried out. */
  onceKey?: { actorKey: string; key: string };
};
