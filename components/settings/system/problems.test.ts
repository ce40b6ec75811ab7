import { expect, test } from "vitest";
import type { BackupList } from "@/lib/backup/schema";
import type { System } from "@/lib/http/schema";
import type { JobList } from "@/lib/jobs/schema";
import { systemProblems } from "./problems";

const at = "2026-11-23T10:00:00.000Z";
const system = {
  readiness: { checks: [{ name: "disk", ok: true, problem: null }] },
  unserved: { items: [], more: 0 },
  queue: { workers: { online: 1 } },
  audit: { verified: { at, ok: true } },
} as unknown as System;
const backups = {
  backups: [{ name: "one", verified: true }],
  lastFailure: null,
  schedule: { everyHours: 0 },
} as unknown as BackupList;
const jobs = {
  leader: { holder: "web", until: at, isThisProcess: true },
  items: [{ name: "sync", title: "Sync sources", running: false, last: { outcome: "ok" }, lateSeconds: 0 }],
} as unknown as JobList;

const found = (change: { system?: object; backups?: object; jobs?: object }) =>
  systemProblems({
    system: { ...system, ...change.system },
    backups: { ...backups, ...change.backups },
    jobs: { ...jobs, ...change.jobs },
  }).map(({ id, tone }) => `${tone} ${id}`);

test("a healthy server has none, also while backups and jobs are unknown", () => {
  expect(found({})).toEqual([]);
  expect(systemProblems({ system, backups: undefined, jobs: undefined })).toEqual([]);
});

test.each([
  [
    "a failing check",
    { system: { readiness: { checks: [{ name: "disk", ok: false, problem: "1 MiB left" }] } } },
    "danger disk",
  ],
  ["a broken chain", { system: { audit: { verified: { at, ok: false } } } }, "danger audit"],
  ["no worker", { system: { queue: { workers: { online: 0 } } } }, "danger workers"],
  ["refused runs", { system: { unserved: { items: [{ builtin: false }], more: 0 } } }, "warning unserved"],
  ["a failed backup", { backups: { lastFailure: { at, reason: "disk full" } } }, "danger backup"],
  ["a damaged backup", { backups: { backups: [{ name: "one", verified: false }] } }, "danger damaged"],
  ["no backup at all", { backups: { backups: [] } }, "warning no-backup"],
  ["no leader", { jobs: { leader: null } }, "danger leader"],
  [
    "a failed job",
    { jobs: { items: [{ ...jobs.items[0], last: { outcome: "failed", summary: null } }] } },
    "danger job sync",
  ],
  ["a late job", { jobs: { items: [{ ...jobs.items[0], lateSeconds: 60 }] } }, "warning late"],
])("names %s", (_name, change, expected) => {
  expect(found(change)).toEqual([expected]);
});

test("a built-in that no worker serves, and a first backup that is scheduled, need nobody", () => {
  expect(found({ system: { unserved: { items: [{ builtin: true }], more: 0 } } })).toEqual([]);
  expect(found({ backups: { backups: [], schedule: { everyHours: 24 } } })).toEqual([]);
});

test("failures come before warnings", () => {
  expect(found({ backups: { backups: [] }, jobs: { leader: null } })).toEqual(["danger leader", "warning no-backup"]);
});
