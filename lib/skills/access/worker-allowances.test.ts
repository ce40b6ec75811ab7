import { expect, test } from "vitest";
import type { Grants } from "@/lib/policy/grants/schema";
import { HARMLESS_ENV } from "@/lib/policy/worker-allowance";
import { decideVersion } from "@/lib/review/decide-version";
import { approvedSkill } from "@/lib/testing/approved-skill";
import { playbookFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testDatabase } from "@/lib/testing/test-database";
import { testWorker } from "@/lib/testing/test-worker";
import { importSkills } from "../transfer/import-skills";
import { getVersion } from "../versions/get-version";
import { listAllowances, listUnserved } from "./worker-allowances";

const PLAIN: Grants = { timeoutSeconds: 60 };
const PATHS: Grants = { paths: [{ path: "/srv/data", mode: "ro" }] };

async function world() {
  const { person, database } = await testDatabase();
  const [user, reviewer, admin] = [await person(), await person("reviewer"), await person("admin")];
  const skill = async (name: string, grants: Grants) => {
    const made = await approvedSkill(user.ctx, reviewer.ctx, { name });
    return { ...made, decided: await decideVersion(reviewer.ctx, made.id, made.digest, approve(grants)) };
  };
  const worker = async (allows?: object) => {
    const made = await testWorker(database);
    const data = { lastSeenAt: new Date(), offers: JSON.stringify({ allows }) };
    await database.writer.worker.update({ where: { id: made.id }, data });
    return { ...made, name: `worker-${made.id}` };
  };
  return { user, reviewer, admin, skill, worker, database };
}

function approve(grants: Grants) {
  return { decision: "approve" as const, comment: "", expects: "approved" as const, grants };
}

test("reviewers see what each worker allows, and plain users do not", async () => {
  const { user, reviewer, worker } = await world();
  const wide = await worker({ paths: ["/srv"], proxy: true });
  const old = await worker();
  const { items } = await listAllowances(reviewer.ctx);
  expect(items.find(({ id }) => id === wide.id)).toMatchObject({
    name: wide.name,
    online: true,
    saysAllows: true,
    allows: { paths: ["/srv"], proxy: true, capabilities: [] },
  });
  expect(items.find(({ id }) => id === old.id)).toMatchObject({ saysAllows: false, allows: { env: HARMLESS_ENV } });
  await expect(listAllowances(user.ctx)).rejects.toMatchObject({ code: "forbidden" });
});

test("an approval that no worker serves is accepted, and its answer says so until a worker allows it", async () => {
  const { user, skill, worker } = await world();
  const { name } = await worker({});
  const { id, digest, decided } = await skill("reads_data", PATHS);
  const said = `The worker “${name}” does not allow the path /srv/data. Its operator can allow it with SKILLGATE_WORKER_PATHS.`;
  expect(decided).toMatchObject({ state: "approved", notServed: said });
  expect(await getVersion(user.ctx, id, digest)).toMatchObject({ notServed: said });
  await worker({ paths: ["/srv/data"] });
  expect(await getVersion(user.ctx, id, digest)).toMatchObject({ notServed: null });
});

test("without a worker, without grants, and for what is not run, nothing is said", async () => {
  const { user, reviewer, skill, worker } = await world();
  const early = await skill("before_workers", PATHS);
  expect(early.decided.notServed).toBeNull();
  await worker({});
  expect((await skill("plain", PLAIN)).decided.notServed).toBeNull();
  const upload = await zipUpload("notes", playbookFiles({ name: "notes" }));
  const [notes] = (await importSkills(user.ctx, { ...upload, owner: "me" })).skills;
  const digest = notes?.pendingVersion?.digest ?? "";
  const terms = { decision: "approve" as const, comment: "", grants: { network: true } };
  expect((await decideVersion(reviewer.ctx, notes?.id ?? "", digest, terms)).notServed).toBeNull();
});

test("the check lists each approved skill that no worker may serve, with what is missing where", async () => {
  const { admin, skill, worker, database } = await world();
  const open = await skill("reads_data", PATHS);
  await skill("plain", PLAIN);
  await skill("sends", { network: ["example.org"] });
  const off = await skill("switched_off", PATHS);
  await database.writer.skill.update({ where: { id: off.id }, data: { enabled: false } });
  expect(await listUnserved(admin.ctx)).toEqual({ items: [], more: 0 });
  const narrow = await worker({ proxy: true });
  const item = {
    skill: { id: open.id, name: "reads_data" },
    versionDigest: open.digest,
    builtin: false,
    missing: [
      {
        worker: { id: narrow.id, name: narrow.name, saysAllows: true },
        what: "the path /srv/data",
        variable: "SKILLGATE_WORKER_PATHS",
      },
    ],
  };
  expect(await listUnserved(admin.ctx)).toEqual({ items: [item], more: 0 });
  expect(await listUnserved(admin.ctx, 0)).toEqual({ items: [], more: 1 });
  await worker({ paths: ["/srv"] });
  expect(await listUnserved(admin.ctx)).toEqual({ items: [], more: 0 });
});
