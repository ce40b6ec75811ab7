import { expect, test } from "vitest";
import type { Me } from "@/lib/auth/schema";
import { noticesFor } from "./notices";

const calm: Me = {
  user: { id: "1", name: "Mara", email: "mara@example.org", role: "admin" },
  counts: { reviews: 0, approvals: 0 },
  instanceName: "Skillgate",
  soloMode: false,
  reviewers: 1,
  workersOnline: 1,
  isolation: "sandbox",
  version: "0.1.0",
};
const ids = (change: Partial<Me>) => noticesFor({ ...calm, ...change }).map((notice) => notice.id);

test("shows no notice without problems", () => {
  expect(ids({})).toEqual([]);
});

test("shows a missing worker or sandbox before solo mode", () => {
  expect(ids({ workersOnline: 0, isolation: "none", soloMode: true })).toEqual(["no-worker", "solo-mode"]);
  expect(ids({ isolation: "none", soloMode: true })).toEqual(["no-isolation", "solo-mode"]);
  expect(ids({ isolation: "process", soloMode: true })).toEqual(["weak-isolation", "solo-mode"]);
  expect(ids({ isolation: "namespaces" })).toEqual([]);
});

test("shows solo mode to reviewers and admins only", () => {
  expect(ids({ soloMode: true, user: { ...calm.user, role: "user" } })).toEqual([]);
  expect(ids({ soloMode: true, user: { ...calm.user, role: "reviewer" } })).toEqual(["solo-mode"]);
});

test("offers admins to turn solo mode off once a second person can review", () => {
  expect(ids({ soloMode: true })).toEqual(["solo-mode"]);
  expect(ids({ soloMode: true, reviewers: 2 })).toEqual(["solo-mode-offer"]);
});

test("gives admins the page where they act, and other people none", () => {
  const actionsOf = (role: Me["user"]["role"]) =>
    noticesFor({ ...calm, workersOnline: 0, soloMode: true, user: { ...calm.user, role } }).map(
      ({ settings }) => settings,
    );
  expect(actionsOf("admin")).toEqual(["/settings/workers", "/settings/instance#soloMode"]);
  expect(actionsOf("reviewer")).toEqual([undefined, undefined]);
});
