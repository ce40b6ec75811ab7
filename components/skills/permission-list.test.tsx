import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { PermissionList } from "./permission-list";

afterEach(cleanup);

const manifest = {
  ...{ kind: "pack", entry: "run.sh", envAllow: ["API_KEY"], timeoutSeconds: 300, allowedTools: null, meta: {} },
  body: "",
} as unknown as SkillManifest;
const facts = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("an approved version shows what was granted, not what its files ask for", () => {
  const version = { grants: { env: [], timeoutSeconds: 20 }, declaredGrants: {}, entry: null, timeLimitSeconds: 20 };
  render(<PermissionList manifest={manifest} files={[]} version={version} />);
  expect(facts()).toEqual([
    "Runs the program run.sh",
    "No network",
    "Gets no environment variables",
    "Time limit: 20 s",
  ]);
});

test("a granted network and a script that an approval made runnable are named", () => {
  const entry = { path: "scripts/shout.py" } as never;
  const version = { grants: { network: true, env: [] }, declaredGrants: {}, entry, timeLimitSeconds: 30 };
  render(<PermissionList manifest={{ ...manifest, kind: "playbook", entry: null }} files={[]} version={version} />);
  expect(facts()).toContain("Runs the program scripts/shout.py");
  expect(facts()).toContain("Network: any address that the worker’s operator allows");
});

test("files that are no version yet only ask, and promise no limit", () => {
  render(<PermissionList manifest={manifest} files={[]} />);
  expect(facts()).toEqual([
    "Runs the program run.sh",
    "Asks for the environment variable API_KEY",
    "Asks for a time limit of 300 s",
  ]);
});

test("a playbook that nothing is run of has no limits of runs", () => {
  const version = { grants: null, declaredGrants: { env: [], timeoutSeconds: 30 }, entry: null, timeLimitSeconds: 30 };
  render(<PermissionList manifest={{ ...manifest, kind: "playbook", entry: null }} files={[]} version={version} />);
  expect(facts()).toEqual(["Skillgate runs no program of this skill"]);
});
