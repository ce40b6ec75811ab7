import { expect, it } from "vitest";
import type { Me } from "@/lib/auth/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { approvalsOf, classReason } from "./decision-form";

const me = (soloMode: boolean) => ({ soloMode, user: { id: "mara" } }) as Me;
const version = (approvals: Partial<Version["approvals"]>, state: Version["state"] = "pending") => ({
  state,
  approvals: { given: 0, needed: 1, by: [], terms: null, maySign: null, ...approvals },
});

it("asks for a second person once dangerous is chosen, unless solo mode is on", () => {
  expect(approvalsOf(version({}), "dangerous", me(false)).needed).toBe(2);
  expect(approvalsOf(version({}), "mutating", me(false)).needed).toBe(1);
  expect(approvalsOf(version({}), "dangerous", me(true)).needed).toBe(1);
});

it("never requires fewer than the server", () => {
  const by = [{ id: "ben", name: "Ben", at: "2026-02-01T12:00:00.000Z" }];
  expect(approvalsOf(version({ needed: 2, given: 1, by }), "safe", me(false))).toEqual({
    given: 1,
    needed: 2,
    by: ["Ben"],
    isMine: false,
  });
});

it("recognizes the user's own approval", () => {
  const by = [{ id: "mara", name: "Mara", at: "2026-02-01T12:00:00.000Z" }];
  expect(approvalsOf(version({ given: 1, by }), "safe", me(false)).isMine).toBe(true);
});

it("counts no approvals for other terms of an approved version", () => {
  const by = [{ id: "mara", name: "Mara", at: "2026-02-01T12:00:00.000Z" }];
  const serving = version({ given: 1, by }, "approved");
  expect(approvalsOf(serving, "safe", me(false))).toMatchObject({ given: 0, isMine: false });
  const open = version({ given: 1, by, terms: { class: "safe", grants: {}, entry: null } }, "approved");
  expect(approvalsOf(open, "safe", me(false))).toMatchObject({ given: 1, isMine: true });
});

it("gives the reason for a proposed class", () => {
  expect(classReason({ proposedClass: "mutating", proposedClassReason: "it declares hooks" })).toBe(
    "Proposed mutating: it declares hooks.",
  );
});
