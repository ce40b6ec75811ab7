import { expect, test } from "vitest";
import { packFiles, zipUpload } from "@/lib/testing/sample-packs";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "./testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const [admin, reviewer] = [await person("admin"), await person("reviewer")];

async function skillOf(name: string): Promise<string> {
  const { filename, bytes } = await zipUpload("pack", packFiles({ name }));
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], filename));
  const imported = await call("POST", "/api/skills/import", { token: admin.token, body: form });
  const [skill] = (await imported.json()).skills;
  const decisions = `/api/skills/${skill.id}/versions/${skill.pendingVersion.digest}/decisions`;
  await call("POST", decisions, { token: reviewer.token, json: { decision: "approve", comment: "Read." } });
  await call("PATCH", `/api/skills/${skill.id}`, { token: admin.token, json: { enabled: true } });
  return skill.id;
}

function start(skill: string, key: string, args: Record<string, unknown>) {
  const headers = { "idempotency-key": key };
  return call("POST", `/api/skills/${skill}/runs`, { token: admin.token, json: { args }, headers });
}

/** Leaves the database as it is when the process dies after the commit of the run and before the answer is stored. */
async function dieBeforeTheAnswer(key: string) {
  await database.writer.idempotentAnswer.updateMany({
    where: { key },
    data: { status: null, body: null, createdAt: new Date(0) },
  });
}

test("a start that is repeated after the process died finds the run it made", async () => {
  const skill = await skillOf("once_only");
  const first = await start(skill, "run-1", { text: "a" });
  expect(first.status).toBe(201);
  const { id } = (await first.json()) as { id: string };
  await dieBeforeTheAnswer("run-1");
  const again = await start(skill, "run-1", { text: "a" });
  expect([again.status, ((await again.json()) as { id: string }).id]).toEqual([201, id]);
  expect((await start(skill, "run-1", { text: "a" })).headers.get("idempotency-replayed")).toBe("true");
  expect((await start(skill, "run-1", { text: "b" })).status).toBe(409);
  expect(await database.reader.run.count()).toBe(1);
});

test("a start that died before it made a run is carried out by its repetition", async () => {
  const skill = await skillOf("never_made");
  const before = await database.reader.run.count();
  await start(skill, "run-2", { text: "a" });
  await dieBeforeTheAnswer("run-2");
  await database.writer.idempotentAnswer.updateMany({ where: { key: "run-2" }, data: { runId: null } });
  expect((await start(skill, "run-2", { text: "a" })).status).toBe(201);
  expect(await database.reader.run.count()).toBe(before + 2);
});

test("a start that comes several times at once makes one run", async () => {
  const skill = await skillOf("all_at_once");
  const before = await database.reader.run.count();
  const answers = await Promise.all([1, 2, 3].map(() => start(skill, "run-3", { text: "a" })));
  expect(await database.reader.run.count()).toBe(before + 1);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
});
