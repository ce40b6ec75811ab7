import { afterAll, expect, test } from "vitest";
import { startFakeGitHub } from "@/e2e/fixtures/fake-github/start-fake-github";
import { CatalogSource, CatalogSourcePage, SyncAnswer } from "@/lib/catalog/sources/schema";
import { createSyncRunner } from "@/lib/catalog/sync/sync-runner";
import { createCtx } from "@/lib/db/context";
import { testServer } from "@/lib/testing/test-server";
import { ROUTE_TABLE } from "../../testing/route-table";

const { call, person, database } = await testServer(ROUTE_TABLE);
const github = await startFakeGitHub();
process.env.GITHUB_API_URL = github.apiUrl;
process.env.GITHUB_RAW_URL = github.rawUrl;
afterAll(() => github.close());
const as = { token: (await person("admin")).token };
const path = "/api/admin/catalog-sources";
const system = createCtx({ actor: { kind: "system", name: "test" }, database });

test("an admin adds a source, syncs it and follows the sync to its end", async () => {
  const repository = await github.repository("acme/skills");
  await repository.commit({ "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Reads PDF.\n---\n" });
  const added = await call("POST", path, {
    ...as,
    json: { label: "Acme", repoUrl: "https://github.com/acme/skills", enabled: true },
  });
  expect(added.status).toBe(201);
  const source = CatalogSource.parse(await added.json());
  const queued = await call("POST", `${path}/${source.id}/sync`, as);
  expect(queued.status).toBe(202);
  const { jobId } = SyncAnswer.parse(await queued.json());
  const read = async () => CatalogSource.parse(await (await call("GET", `${path}/${source.id}`, as)).json());
  expect(await read()).toMatchObject({ state: "queued", jobId, done: 0, total: 0, error: null });
  const runner = createSyncRunner();
  await runner.start(system);
  await runner.idle();
  expect(await read()).toMatchObject({ state: "idle", done: 1, total: 1, requests: 3, counts: { entries: 1 } });
  const changed = await call("PUT", `${path}/${source.id}`, {
    ...as,
    json: { label: "Acme skills", repoUrl: source.repoUrl, enabled: false },
  });
  expect(CatalogSource.parse(await changed.json())).toMatchObject({
    label: "Acme skills",
    enabled: false,
    state: "idle",
  });
  expect(CatalogSourcePage.parse(await (await call("GET", path, as)).json()).items).toHaveLength(1);
  expect((await call("DELETE", `${path}/${source.id}`, as)).status).toBe(204);
  expect((await call("GET", `${path}/${source.id}`, as)).status).toBe(404);
});

test("an address that the server may not connect to is refused at its field", async () => {
  const answer = await call("POST", path, { ...as, json: { label: "X", repoUrl: "http://169.254.169.254/a/b" } });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ code: "invalid", errors: [{ path: "repoUrl" }] });
  const added = await call("POST", path, { ...as, json: { label: "Y", repoUrl: "https://git.example.com/a/b" } });
  const { id } = CatalogSource.parse(await added.json());
  const moved = await call("PUT", `${path}/${id}`, { ...as, json: { label: "Y", repoUrl: "https://10.0.0.7/a/b" } });
  expect(await moved.json()).toMatchObject({ code: "invalid", errors: [{ path: "repoUrl" }] });
});
