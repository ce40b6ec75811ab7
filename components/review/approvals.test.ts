import { expect, it } from "vitest";
import type { Me } from "@/lib/client/me";
import type { Version } from "@/lib/skills/schema";
import { approvalsOf, classReason } from "./approvals";

const me = (soloMode: boolean) => ({ soloMode, user: { id: "mara" } }) as Me;
const approval = (actorId: string, createdAt: string) => ({
  decision: "approve",
  actor: { id: actorId, name: actorId },
  createdAt,
});
const version = (patch: object) =>
  ({
    submittedAt: "2026-02-02T00:00:00.000Z",
    createdAt: "2026-02-01T00:00:00.000Z",
    proposedClass: "safe",
    manifest: { declaredClass: null, kind: "playbook" },
    decisions: [],
    ...patch,
  }) as unknown as Version;

it("needs two people for anything dangerous, unless solo mode is on", () => {
  expect(approvalsOf(version({}), "dangerous", me(false)).needed).toBe(2);
  expect(approvalsOf(version({ proposedClass: "dangerous" }), "safe", me(false)).needed).toBe(2);
  expect(approvalsOf(version({}), "mutating", me(false)).needed).toBe(1);
  expect(approvalsOf(version({}), "dangerous", me(true)).needed).toBe(1);
});

it("counts approvals since the last submission only", () => {
  const decisions = [approval("mara", "2026-02-01T12:00:00.000Z"), approval("bo", "2026-02-03T00:00:00.000Z")];
  expect(approvalsOf(version({ decisions }), "safe", me(false))).toEqual({ given: 1, needed: 1, isMine: false });
});

it("says why a class is proposed", () => {
  expect(classReason(version({ manifest: { declaredClass: "mutating" } }))).toBe("Declared by its author.");
  expect(classReason(version({ manifest: { declaredClass: null, kind: "pack" } }))).toContain("counts as safe");
  expect(classReason(version({ proposedClass: "mutating" }))).toContain("brings scripts");
});
