import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listEvents } from "@/lib/audit/list-events";
import { sha256Hex } from "@/lib/core/hash";
import type { Grants } from "@/lib/policy/grants/schema";
import { approveRelease } from "@/lib/review/automatic-approvals";
import { decideVersion } from "@/lib/review/decide-version";
import { readSkill } from "@/lib/skill-format/manifest/read-skill";
import { releaseManifest } from "@/lib/skills/approval/release-manifest";
import { updateSkill } from "@/lib/skills/edit-skills";
import { getSkill } from "@/lib/skills/get-skill";
import { listSkills } from "@/lib/skills/list-skills";
import { ListSkillsQuery } from "@/lib/skills/schema";
import { importSkills } from "@/lib/skills/transfer/import-skills";
import { getVersion } from "@/lib/skills/versions/get-version";
import { listDeclaredTools, resolveDeclaredTools } from "@/lib/skills/versions/list-declared-tools";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import type { InventoryItem } from "@/lib/worker/protocol";
import { startRun } from "../runs/start-run";
import { receiveInventory, storeInventoryBlob } from "./receive-inventory";

const { database, person } = await testDatabase();
const admin = (await person("admin", "Ada")).ctx;
const user = (await person("user", "Uma")).ctx;
const other = (await person("user", "Otto")).ctx;

let folder: string;

beforeAll(async () => {
  const { buildBuiltins } = (await import(join(process.cwd(), "bin", "build-builtins.mjs"))) as {
    buildBuiltins(): Promise<string>;
  };
  folder = await buildBuiltins();
});

type Bytes = Record<"main.mjs" | "skill.json", Buffer>;

function bytesOf(name: string): Bytes {
  const read = (file: string) => readFileSync(join(folder, name, file));
  return { "main.mjs": read("main.mjs"), "skill.json": read("skill.json") };
}

/** Lets a worker submit this built-in with these bytes. */
async function bring(name: string, bytes = bytesOf(name), kind: InventoryItem["kind"] = "builtin") {
  const worker = await testWorker(database);
  const files = Object.entries(bytes).map(([path, content]) => {
    const mode = path === "main.mjs" ? ("755" as const) : ("644" as const);
    return { path, mode, sha256: sha256Hex(content), size: content.length };
  });
  const request = { items: [{ kind, root: "/build", path: `/build/${name}`, files }], problems: [] };
  const { need } = await receiveInventory(worker.ctx, request);
  for (const sha256 of need) {
    const content = Object.values(bytes).find((one) => sha256Hex(one) === sha256);
    await storeInventoryBlob(worker.ctx, sha256, new Uint8Array(content ?? []));
  }
  const [skill] = (await receiveInventory(worker.ctx, request)).skills;
  if (!skill) throw new Error(`${name} was not taken`);
  return { worker, ...skill };
}

/** Leases the only run, returns the context that the server sent, and completes the run. */
async function contextOf<T>(worker: Awaited<ReturnType<typeof testWorker>>): Promise<T> {
  const [lease] = await worker.lease();
  if (!lease) throw new Error("there is no run to lease");
  await worker.complete(lease, {});
  return lease.context as T;
}

type Edges = { edges: { id: string; runs: number; succeeded: number }[] };
type Changes = { events: { actor: string; action: string }[] };

describe("the release's approval", () => {
  it("is given to the very bytes of this release: signed, in its name, with the manifest's terms", async () => {
    const { skillId, versionDigest, state } = await bring("run_command");
    expect(state).toBe("approved");
    const skill = await getSkill(user, skillId);
    expect(skill).toMatchObject({
      builtin: true,
      enabled: true,
      class: "dangerous",
      scope: "manager",
      source: "worker",
    });
    expect(skill.trust).toEqual({ tier: "bundled", signature: "verified", problem: null });
    const { release } = await releaseManifest();
    const version = await getVersion(admin, skillId, versionDigest);
    expect(version).toMatchObject({ class: "dangerous", grants: { workspace: true, timeoutSeconds: 300 } });
    expect(version.decisions).toMatchObject([
      { decision: "approve", actor: { id: "release", name: `Skillgate ${release}` }, standing: "counts" },
    ]);
    const { items } = await listEvents(admin, { action: "version.approve", limit: 5 });
    expect(items[0]?.actor).toMatchObject({ kind: "system", name: `Skillgate ${release}` });
  });

  it("is not given to other bytes, nor to what only calls itself by the name", async () => {
    const bytes = bytesOf("probe_tcp");
    const changed = { ...bytes, "main.mjs": Buffer.concat([bytes["main.mjs"], Buffer.from("\n")]) };
    const { skillId, state, versionDigest } = await bring("probe_tcp", changed);
    expect(state).toBe("pending");
    expect(await approveRelease(admin, skillId, versionDigest)).toBe(false);
    expect(await getSkill(user, skillId)).toMatchObject({ builtin: false, enabled: false, currentVersion: null });
    await decideVersion(admin, skillId, versionDigest, { decision: "approve", comment: "" });
    expect(await getSkill(user, skillId)).toMatchObject({ builtin: false, trust: { tier: "workspace" } });
  });

  it("never comes back after an admin revoked it, and leaves a switch that an admin turned off", async () => {
    const { skillId, versionDigest } = await bring("host_load");
    await updateSkill(admin, skillId, { enabled: false });
    await bring("host_load");
    expect(await getSkill(user, skillId)).toMatchObject({ enabled: false, currentVersion: { state: "approved" } });
    await decideVersion(admin, skillId, versionDigest, { decision: "revoke", comment: "not here" });
    expect((await bring("host_load")).state).toBe("revoked");
    expect(await approveRelease(admin, skillId, versionDigest)).toBe(false);
    expect(await getSkill(user, skillId)).toMatchObject({ builtin: false, enabled: false, currentVersion: null });
  });
});

describe("what a worker's operator allows", () => {
  const notServed = async ({ skillId, versionDigest }: Awaited<ReturnType<typeof bring>>) =>
    (await getVersion(admin, skillId, versionDigest)).notServed;

  it("is not asked for what the release gives its built-ins, but for sockets that steer services", async () => {
    const netns = await bring("host_netns_inspect");
    await netns.worker.say({});
    expect(await notServed(netns)).toBeNull();
    await startRun(admin, netns.skillId, { args: {}, workerId: netns.worker.id, wait: 0 });
    expect((await netns.worker.lease()).map(({ skillName }) => skillName)).toEqual(["host_netns_inspect"]);
    expect(await notServed(await bring("restart_service"))).toMatch(
      /the path \/run\/(systemd|dbus).*SKILLGATE_WORKER_PATHS/,
    );
  });

  it("is asked for what a reviewer grants a built-in beyond that, and not for less", async () => {
    const brought = await bring("host_processes");
    await brought.worker.say({});
    const decide = (grants: Grants) =>
      decideVersion(admin, brought.skillId, brought.versionDigest, {
        ...{ decision: "approve", comment: "", expects: "approved", grants },
      });
    expect((await decide({ namespaces: ["pid", "net"] })).notServed).toMatch(/SKILLGATE_WORKER_NAMESPACES/);
    expect((await decide({ namespaces: ["pid"], timeoutSeconds: 5 })).notServed).toBeNull();
  });
});

describe("a list of skills", () => {
  it("names built-ins among the others, only them, or all but them: by what they serve", async () => {
    const { skillId } = await bring("read_file");
    const bytes = bytesOf("write_file");
    const changed = await bring("write_file", { ...bytes, "main.mjs": Buffer.from("// of somebody's own\n") });
    const brought = [skillId, changed.skillId];
    const ask = async (query: Record<string, string>) => {
      const { items } = await listSkills(user, ListSkillsQuery.parse({ q: "_file", ...query }));
      return items.map(({ id }) => id).filter((id) => brought.includes(id));
    };
    const before = await ask({ builtin: "false" });
    await decideVersion(admin, changed.skillId, changed.versionDigest, { decision: "approve", comment: "" });
    expect(await ask({})).toEqual(brought);
    expect(await ask({ builtin: "true" })).toEqual([skillId]);
    expect([before, await ask({ builtin: "false" })]).toEqual([[changed.skillId], [changed.skillId]]);
  });
});

describe("what a lease carries", () => {
  it("one workspace for a caller's session, another for other callers, none without the grant", async () => {
    const { worker } = await bring("list_dir");
    const { worker: host } = await bring("query_edges");
    for (const ctx of [user, user, other]) await startRun(ctx, "list_dir", { args: {}, wait: 0 });
    await startRun(user, "query_edges", { args: {}, wait: 0 });
    const leases = [...(await worker.lease(4)), ...(await host.lease(4))];
    const ids = leases.filter(({ skillName }) => skillName === "list_dir").map(({ workspace }) => workspace);
    expect(ids).toEqual([ids[0], ids[0], expect.stringMatching(/^[a-z0-9]{32}$/)]);
    expect(new Set(ids).size).toBe(2);
    expect(leases.find(({ skillName }) => skillName === "query_edges")?.workspace).toBeNull();
  });

  it("edges with the runs that the caller may see, and no more", async () => {
    const { worker } = await bring("rank_edges");
    for (const ctx of [user, other]) {
      await startRun(ctx, "rank_edges", { args: { window_minutes: 5 }, wait: 0 });
      const { edges } = await contextOf<Edges>(worker);
      const edge = edges.find(({ id }) => id === worker.id);
      // The other person's run has succeeded there meanwhile.
      expect(edge).toMatchObject({ online: true, manager: true, runs: 0, succeeded: 0, failureRate: null });
    }
    await startRun(admin, "rank_edges", { args: { window_minutes: 5 }, wait: 0 });
    const { edges } = await contextOf<Edges>(worker);
    expect(edges.find(({ id }) => id === worker.id)).toMatchObject({ runs: 2, succeeded: 2, failureRate: 0 });
  });

  it("changes that the caller may see in the audit log", async () => {
    const { worker } = await bring("query_change_events");
    const seen = async (ctx: typeof user) => {
      await startRun(ctx, "query_change_events", { args: { window_minutes: 60 }, wait: 0 });
      return (await contextOf<Changes>(worker)).events;
    };
    const [ofUser, ofAdmin] = [await seen(other), await seen(admin)];
    const isOthers = ({ actor, action }: Changes["events"][number]) =>
      /Uma|Ada/.test(actor) || action === "version.approve";
    expect(ofUser.map(({ action }) => action)).toContain("run.start");
    expect(ofUser.filter(isOthers)).toEqual([]);
    expect(ofAdmin.map(({ action }) => action)).toContain("version.approve");
  });

  it("no context for other bytes that ask for one", async () => {
    const bytes = bytesOf("get_edge_summary");
    const json = { ...JSON.parse(bytes["skill.json"].toString("utf8")), context: "edges" };
    const { worker, skillId, versionDigest } = await bring("get_edge_summary", {
      ...bytes,
      "skill.json": Buffer.from(JSON.stringify(json)),
    });
    await decideVersion(admin, skillId, versionDigest, { decision: "approve", comment: "" });
    await updateSkill(admin, skillId, { enabled: true });
    await startRun(admin, skillId, { args: { edge_id: "x" }, wait: 0 });
    const [lease] = await worker.lease();
    expect(lease?.skillName).toBe("get_edge_summary");
    expect(lease?.context).toBeUndefined();
  });
});

describe("tools that a playbook declares", () => {
  const tools = [
    { name: "cat", impl: "builtin:read_file", class: "read" },
    { name: "metrics", impl: "builtin:prom.QueryPromQL", class: "read" },
    { name: "magic", impl: "builtin:does_not_exist", class: "read" },
    { name: "own", impl: "script:run.sh", class: "read" },
  ];

  it("are bound to the built-ins of this release, with a problem for what it does not have", async () => {
    const { skillId } = await bring("read_file");
    const list = tools.map((tool) => `  - ${JSON.stringify(tool)}\n`).join("");
    const text = `---\nname: helper\ndescription: Helps with files.\ntools:\n${list}---\n# Helper\n\nUse the tools.\n`;
    const files = [{ path: "SKILL.md", mode: "644" as const, bytes: new TextEncoder().encode(text) }];
    const { manifest } = readSkill(files, { folder: "helper" });
    expect(await resolveDeclaredTools(user, manifest)).toMatchObject([
      { name: "cat", builtin: "read_file", skillId, problem: null },
      { name: "metrics", builtin: "query_promql", skillId: null, problem: expect.stringContaining("is not available") },
      { name: "magic", builtin: null, problem: expect.stringContaining("no built-in “does_not_exist”") },
      { name: "own", builtin: null, skillId: null, problem: null },
    ]);
    const upload = await zipUpload("helper", files);
    const [skill] = (await importSkills(user, { ...upload, owner: "me" })).skills;
    const digest = skill?.pendingVersion?.digest ?? "";
    expect((await listDeclaredTools(user, skill?.id ?? "", digest)).items).toHaveLength(4);
    await expect(listDeclaredTools(other, skill?.id ?? "", digest)).rejects.toThrow();
  });

  it("are none for a playbook without any", async () => {
    const { manifest } = readSkill(playbookFiles(), { folder: "x" });
    expect(await resolveDeclaredTools(user, manifest)).toEqual([]);
  });
});
