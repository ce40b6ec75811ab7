import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clearGitHubToken, getGitHubToken, setGitHubToken } from "../github/github-token";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { createSource } from "./create-source";
import { previewSource } from "./preview-source";
import { CatalogSource, type CreateSourceInput, SourcePreview } from "./schema";
import { deleteSource, getSource, listSources, syncSource } from "./sources";
import { confirmRepository, updateSource } from "./update-source";

const { github, source, sync, settle, entries, events, admin, person, database, options, pass } = await testCatalog();
const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ";

const input = (repoUrl: string): CreateSourceInput => ({
  ...{ label: "New", repoUrl, enabled: true, intervalMinutes: 60, sync: false },
});

test("a source needs no repository to be added; it is shown with what it is, and once only", async () => {
  const made = await createSource(admin, input("https://github.com/Nobody/Nothing/tree/main/skills"));
  expect(CatalogSource.parse(made)).toMatchObject({
    ...{ owner: "Nobody", repo: "Nothing", ref: "main", folder: "skills", state: "idle", jobId: null, syncedAt: null },
    ...{ repoUrl: "https://github.com/Nobody/Nothing", enabled: true, error: null },
  });
  const again = { ...input("https://github.com/nobody/nothing"), ref: "main", folder: "/skills/" };
  await expect(createSource(admin, again)).rejects.toMatchObject({ code: "conflict" });
  await expect(createSource(admin, input("file:///srv/git/b"))).rejects.toMatchObject({ code: "invalid" });
  expect((await listSources(admin, { limit: 1 })).items).toHaveLength(1);
  expect(await sync(made.id)).toMatchObject({ state: "failed", errorCode: "not_found" });
  await deleteSource(admin, made.id);
});

test("with sync it is queued at once", async () => {
  const { name } = await source({ "a/SKILL.md": skillMd("a") });
  const made = await createSource(admin, { ...input(`https://github.com/${name}`), ref: "main", sync: true });
  expect(made).toMatchObject({ state: "queued", jobId: expect.any(String) });
  await settle();
  expect(await getSource(admin, made.id)).toMatchObject({ state: "idle", counts: { entries: 1 } });
});

test("another folder makes it a new source; a new label or interval does not", async () => {
  const { id } = await source({ "one/a/SKILL.md": skillMd("a"), "two/b/SKILL.md": skillMd("b") });
  await sync(id);
  const renamed = await updateSource(admin, { id, label: "Other name", intervalMinutes: 30 });
  expect(renamed).toMatchObject({ label: "Other name", state: "idle", counts: { entries: 2 } });
  expect(Date.parse(renamed.nextSyncAt ?? "")).toBeLessThan(Date.now() + 31 * 60_000);
  const moved = await updateSource(admin, { id, folder: "two" });
  expect(moved).toMatchObject({ folder: "two", state: "queued", counts: { entries: 0 }, syncedAt: null });
  await settle();
  expect((await entries(id)).map((entry) => entry.folder)).toEqual(["two/b"]);
  expect(await updateSource(admin, { id, enabled: false })).toMatchObject({ enabled: false, nextSyncAt: null });
  const updates = (await events(id)).filter((event) => event.action === "catalog_source.update");
  expect(updates.map((event) => JSON.parse(event.data).after)).toEqual([
    { label: "Other name", intervalMinutes: 30 },
    { folder: "two" },
    { enabled: false },
  ]);
});

test("an outage lasts from the first failed sync to the next one that succeeds", async () => {
  const { id, name } = await source({ "a/SKILL.md": skillMd("a") });
  expect((await sync(id)).outages).toEqual([]);
  github.delete(name);
  await sync(id);
  pass(86_400_000);
  const failing = await sync(id);
  expect(failing.outages).toEqual([{ from: expect.any(String), to: null }]);
  const repository = await github.repository(name);
  await repository.commit({ "a/SKILL.md": skillMd("a") });
  await sync(id);
  const [{ id: pending } = { id: "" }] = [(await getSource(admin, id)).pendingRepository].flatMap((one) => one ?? []);
  await confirmRepository(admin, { id, repositoryId: pending });
  await settle();
  const [outage, ...others] = (await getSource(admin, id)).outages;
  expect(others).toEqual([]);
  expect(Date.parse(outage?.to ?? "") - Date.parse(outage?.from ?? "")).toBeGreaterThanOrEqual(86_400_000);
});

test("deleting keeps what is installed", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("a") });
  await sync(id);
  const [entry] = await entries(id);
  const at = new Date();
  const from = { sourceId: id, entryId: entry?.id ?? "", folder: "a", owner: "acme", repo: "x", ref: "main" };
  const pins = { commit: "c", treeSha: "t", contentKey: "k", blobs: "{}", digest: "d", state: "current" };
  await database.writer.catalogInstall.create({
    data: { skillId: "s1", ...from, ...pins, installedBy: "u", installedAt: at, updatedAt: at },
  });
  expect((await getSource(admin, id)).counts.installed).toBe(1);
  await deleteSource(admin, id);
  expect(await entries(id)).toEqual([]);
  const kept = await database.reader.catalogInstall.findUniqueOrThrow({ where: { skillId: "s1" } });
  expect(kept).toMatchObject({ sourceId: null, entryId: null, folder: "a", commit: "c" });
  await expect(getSource(admin, id)).rejects.toMatchObject({ code: "not_found" });
});

test("a renamed repository is refused until an admin confirms its id", async () => {
  const { id, name, repository } = await source({ "a/SKILL.md": skillMd("a") });
  const good = await sync(id);
  github.rename(name, `${name}-renamed`);
  const refused = await sync(id);
  expect(refused).toMatchObject({
    ...{ state: "failed", errorCode: "confirmation_needed", nextSyncAt: null, commit: good.commit },
    ...{ pendingRepository: { id: String(repository.id), fullName: `${name}-renamed`, reason: "renamed" } },
    counts: { entries: 1 },
  });
  await expect(confirmRepository(admin, { id, repositoryId: "1" })).rejects.toMatchObject({ code: "conflict" });
  const confirmed = await confirmRepository(admin, { id, repositoryId: String(repository.id) });
  expect(confirmed).toMatchObject({ state: "queued", repoUrl: `https://github.com/${name}-renamed`, error: null });
  await settle();
  expect(await getSource(admin, id)).toMatchObject({ state: "idle", pendingRepository: null, counts: { entries: 1 } });
});

test("another repository under the same name is refused, even with the same files", async () => {
  const { id, name } = await source({ "a/SKILL.md": skillMd("a") });
  await sync(id);
  const taken = await github.repository(name);
  await taken.commit({ "a/SKILL.md": skillMd("a", "Now evil.") });
  const refused = await sync(id);
  expect(refused).toMatchObject({
    ...{ errorCode: "confirmation_needed", pendingRepository: { id: String(taken.id), reason: "replaced" } },
  });
  expect((await entries(id))[0]?.description).toBe("Does a.");
  expect(github.counts().raw).toBe(0);
  await confirmRepository(admin, { id, repositoryId: String(taken.id) });
  await settle();
  expect((await entries(id))[0]?.description).toBe("Now evil.");
});

test("a preview names what is there in three requests and stores nothing", async () => {
  const { name } = await source({
    "skills/pdf/SKILL.md": skillMd("pdf"),
    "skills/pdf/run.sh": { executable: "x" },
    "skills.sh.json": "{}",
    "skills/huge/SKILL.md": "x".repeat(2_000_000),
  });
  const rows = () => Promise.all([database.reader.catalogSource.count(), database.reader.catalogBlob.count()]);
  const before = await rows();
  github.seen.length = 0;
  const preview = await previewSource(admin, { repoUrl: `https://github.com/${name}` }, options);
  expect(SourcePreview.parse(preview)).toMatchObject({
    ...{ ref: "main", total: 1, truncated: false, declares: ["skills.sh.json"], requests: 3 },
    skills: [{ folder: "skills/pdf", name: "pdf", files: 2, hasScripts: true }],
    skipped: [{ folder: "skills/huge", code: "too_large" }],
  });
  expect(github.counts()).toEqual({ api: 3, raw: 0, downloads: 0 });
  expect(await rows()).toEqual(before);
  const nowhere = previewSource(admin, { repoUrl: "https://github.com/acme/nowhere" }, options);
  await expect(nowhere).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("acme/nowhere") });
});

test("the token is sealed, never shown, and sent to the raw host for private repositories only", async () => {
  expect(await getGitHubToken(admin)).toEqual({ isSet: false, setAt: null, setBy: null });
  const status = await setGitHubToken(admin, { token: TOKEN });
  expect(status).toMatchObject({ isSet: true, setBy: "Test admin", setAt: expect.any(String) });
  expect(
    JSON.stringify([status, await database.reader.auditEvent.findMany()], (_key, value) =>
      typeof value === "bigint" ? String(value) : value,
    ),
  ).not.toContain(TOKEN);
  const row = await database.reader.secret.findUniqueOrThrow({ where: { key: "github.token" } });
  expect(Buffer.from(row.sealed).toString("latin1")).not.toContain(TOKEN);
  const keyFile = join(database.keyFolder, "secrets.key");
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(keyFile, "utf8")).toHaveLength(43);

  const open = await source({ "a/SKILL.md": skillMd("open") });
  await sync(open.id);
  expect(github.seen.map((one) => [one.kind, one.hasToken])).toEqual([
    ...["repository", "commit", "tree"].map((kind) => [kind, true]),
    ["raw", false],
  ]);
  const closed = await github.repository("acme/closed", { isPrivate: true });
  await closed.commit({ "a/SKILL.md": skillMd("closed") });
  const made = await createSource(admin, input("https://github.com/acme/closed"));
  expect(await sync(made.id)).toMatchObject({ state: "idle", isPrivate: true });
  expect(github.seen.every((one) => one.hasToken)).toBe(true);

  await clearGitHubToken(admin);
  expect(await getGitHubToken(admin)).toMatchObject({ isSet: false });
  github.seen.length = 0;
  await closed.commit({ "a/SKILL.md": skillMd("closed", "New.") });
  expect(await sync(made.id)).toMatchObject({ state: "failed", errorCode: "not_found", counts: { entries: 1 } });
});

test("a token that was sealed with another key fails the sync by name", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("a") });
  await setGitHubToken(admin, { token: TOKEN });
  const row = await database.reader.secret.findUniqueOrThrow({ where: { key: "github.token" } });
  const sealed = new Uint8Array(row.sealed);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  await database.writer.secret.update({ where: { key: "github.token" }, data: { sealed } });
  expect(await sync(id)).toMatchObject({ errorCode: "token_refused", requests: 0 });
  await clearGitHubToken(admin);
});

test("only admins may do any of this", async () => {
  const { id } = await source({ "a/SKILL.md": skillMd("a") });
  const reviewer = (await person("reviewer")).ctx;
  const tries = [
    () => createSource(reviewer, input("https://github.com/acme/x")),
    () => listSources(reviewer, { limit: 10 }),
    () => getSource(reviewer, id),
    () => updateSource(reviewer, { id, enabled: false }),
    () => deleteSource(reviewer, id),
    () => syncSource(reviewer, id),
    () => confirmRepository(reviewer, { id, repositoryId: "1" }),
    () => previewSource(reviewer, { repoUrl: "https://github.com/acme/x" }, options),
    () => setGitHubToken(reviewer, { token: TOKEN }),
    () => clearGitHubToken(reviewer),
    () => getGitHubToken(reviewer),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: "forbidden" });
});
