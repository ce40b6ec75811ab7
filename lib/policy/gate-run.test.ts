import { expect, test } from "vitest";
import type { PersonActor } from "@/lib/core/actor";
import { gateRun } from "./gate-run";

const person: PersonActor = {
  kind: "user",
  userId: "u",
  name: "U",
  email: "u@example.test",
  role: "user",
  sessionId: "s",
};
const token = (personaId: string | null): PersonActor => ({
  kind: "token",
  userId: "u",
  name: "U",
  email: "u@example.test",
  role: "user",
  tokenId: "t",
  tokenName: "cli",
  scopes: ["run"],
  personaId,
});

const CASES: [string, Parameters<typeof gateRun>[0]["class"], PersonActor, boolean, boolean, string][] = [
  ["a safe run of a person", "safe", person, false, false, "starts"],
  ["a safe run of an agent", "safe", token("p"), false, false, "starts"],
  ["a mutating run that is not confirmed", "mutating", person, false, true, "confirmation_required"],
  ["a mutating run that is confirmed", "mutating", person, true, false, "starts"],
  ["a mutating run a personal token confirms", "mutating", token(null), true, false, "starts"],
  ["a mutating run an agent confirms", "mutating", token("p"), true, true, "forbidden"],
  ["a dangerous run in solo mode, not confirmed", "dangerous", person, false, true, "confirmation_required"],
  ["a dangerous run in solo mode, confirmed", "dangerous", person, true, true, "starts"],
  ["a dangerous run without solo mode, confirmed", "dangerous", person, true, false, "forbidden"],
];

test.each(CASES)("%s", (_title, runClass, actor, confirmed, soloMode, expected) => {
  const ask = () => gateRun({ class: runClass, actor, confirmed, soloMode, skillName: "x" });
  if (expected === "starts") expect(ask).not.toThrow();
  else expect(ask).toThrow(expect.objectContaining({ code: expected }));
});
