import { expect, test } from "vitest";
import type { Actor } from "@/lib/core/actor";
import { type Access, assertAccess } from "./require-scope";

const who = { userId: "u", name: "U", email: "u@example.test", role: "admin" } as const;
const session: Actor = { kind: "user", ...who, sessionId: "s" };
const token: Actor = { kind: "token", ...who, tokenId: "t", tokenName: "t", scopes: ["read", "run"], personaId: null };
const agent: Actor = { ...token, personaId: "p" };
const worker: Actor = { kind: "worker", workerId: "w", name: "w", manager: true };
const anonymous: Actor = { kind: "anonymous" };

const CASES: [Access, Actor, string][] = [
  ["public", anonymous, "in"],
  ["session", session, "in"],
  ["session", token, "forbidden"],
  ["session", anonymous, "unauthenticated"],
  ["worker", worker, "in"],
  ["worker", session, "forbidden"],
  ["worker", anonymous, "unauthenticated"],
  ["read", worker, "forbidden"],
  ["read", token, "in"],
  ["admin", token, "forbidden"],
  ["admin", session, "in"],
  ["read", anonymous, "unauthenticated"],
];

test.each(CASES)("a route for %s and %o", (access, actor, expected) => {
  const enter = () => assertAccess({ access }, actor);
  if (expected === "in") expect(enter).not.toThrow();
  else expect(enter).toThrow(expect.objectContaining({ code: expected }));
});

test("a route is closed to agents unless it says that it is open, and to their people it is not", () => {
  const enter = (actor: Actor, route: Parameters<typeof assertAccess>[0]) => () => assertAccess(route, actor);
  for (const access of ["run", "public"] as const) {
    expect(enter(token, { access })).not.toThrow();
    expect(enter(agent, { access })).toThrow(expect.objectContaining({ code: "forbidden", rule: "no-agents" }));
    expect(enter(agent, { access, agents: "open" })).not.toThrow();
  }
});
