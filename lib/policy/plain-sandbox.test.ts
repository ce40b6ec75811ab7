import { expect, test } from "vitest";
import { EMPTY_MANIFEST, type SkillManifest } from "@/lib/skill-format/schema";
import { Grants } from "./grants/schema";
import { declaredGrants } from "./grants/settle-grants";
import { describeExtraPermissions, extraPermissions } from "./plain-sandbox";

const say = (grants: Grants, manifest: Partial<SkillManifest> = {}) =>
  describeExtraPermissions(extraPermissions({ ...EMPTY_MANIFEST, ...manifest }, { grants, entry: null, files: [] }));

test("a plain pack needs no extra permission", () => {
  const manifest = {
    ...EMPTY_MANIFEST,
    kind: "pack" as const,
    entry: "run.sh",
    envAllow: ["LANG", "LC_ALL", "TZ", "PATH"],
  };
  expect(extraPermissions(manifest, { grants: declaredGrants(manifest), entry: null, files: [] })).toEqual([]);
  const empty = { network: [], paths: [], tools: [], env: [], scripts: false, workspace: false, timeoutSeconds: 30 };
  expect(say(empty)).toBe("");
  expect(say({ network: false, timeoutSeconds: 5 })).toBe("");
});

const GIVEN: Record<keyof Grants, [grants: Grants, named: string]> = {
  network: [{ network: ["example.org"] }, "it gets the host example.org"],
  scripts: [{ scripts: true }, "it gets running its scripts"],
  tools: [{ tools: ["Read"] }, "it gets the tool Read"],
  env: [{ env: ["LANG", "API_KEY"] }, "it gets the environment variable API_KEY"],
  paths: [{ paths: [{ path: "/d", mode: "rw" }] }, "it gets the path /d (read and write)"],
  namespaces: [{ namespaces: ["network"] }, "it gets the host’s net namespace"],
  capabilities: [{ capabilities: ["CAP_NET_RAW"] }, "it gets the capability CAP_NET_RAW"],
  credentials: [
    { credentials: [{ slot: "s", credential: "hidden", as: "env", name: "T" }] },
    "it gets a credential for the slot s",
  ],
  workspace: [{ workspace: true }, "it gets a workspace"],
  timeoutSeconds: [{ timeoutSeconds: 31 }, "it gets a time limit of 31 s (30 s is the default)"],
};

test("every grant has a rule, and a grant without a rule counts as an extra permission", () => {
  expect(Object.keys(GIVEN).sort()).toEqual(Object.keys(Grants.shape).sort());
  for (const [grants, named] of Object.values(GIVEN)) expect(say(grants)).toBe(named);
  expect(say({ network: true })).toBe("it gets the network");
  expect(say({ gpu: true } as Grants)).toBe("it gets the grant gpu");
});

test.each<[Partial<SkillManifest>, string]>([
  [{ envAllow: ["API_KEY", "LC_TIME"] }, "the environment variable API_KEY"],
  [{ timeoutSeconds: 60 }, "a time limit of 60 s (30 s is the default)"],
  [{ allowedTools: ["Bash(git:*)"] }, "the tool Bash(git:*)"],
  [{ hooks: {} }, "its hooks"],
  [{ meta: { hooks: 1 } }, "its hooks"],
  [{ inlineCommands: ["date"] }, "inline commands"],
  [{ body: "Now: !`date`" }, "inline commands"],
  [{ requiredCapabilities: ["filesystem:read"] }, "the capability filesystem:read"],
  [
    {
      requirements: {
        ...EMPTY_MANIFEST.requirements,
        env: ["TOKEN"],
        credentials: [{ slot: "s", label: null, fields: [] }],
      },
    },
    "the environment variable TOKEN and a credential for the slot s",
  ],
])("files that ask for %o are beyond, even if the decision grants nothing", (manifest, named) => {
  expect(say({ env: [], timeoutSeconds: 30 }, manifest)).toBe(`its files ask for ${named}`);
});

test("a permission that is requested and granted is named once, and long lists are cut", () => {
  expect(say({ env: ["A"] }, { envAllow: ["A", "B"] })).toBe(
    "it gets the environment variable A, and its files ask for the environment variable B",
  );
  const env = ["A", "B", "C", "D", "E", "F", "G", "H"];
  expect(say({ env })).toMatch(/ F and 2 more$/);
});

test("the time of a pipeline is no request: its own run executes nothing, and steps have the limits of their approvals", () => {
  expect(say({ timeoutSeconds: 120 }, { kind: "pipeline", timeoutSeconds: 120 })).toBe("");
  expect(say({ timeoutSeconds: 120 }, { kind: "pack" })).toContain("a time limit of 120 s");
});

test("files for a client or host count as extra permissions, with their path", () => {
  const files = [{ path: "hooks/hooks.json", mode: "644" }];
  const carries = [{ path: "setup", by: "hand" as const, what: "a script or program" }];
  const beyond = extraPermissions({ ...EMPTY_MANIFEST, carries }, { grants: {}, entry: null, files });
  expect(describeExtraPermissions(beyond)).toBe(
    "its files ask for a script or program (setup) and commands that a client runs by itself (hooks/hooks.json)",
  );
});
