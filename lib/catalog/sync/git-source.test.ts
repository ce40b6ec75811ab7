import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { startGitServer } from "@/e2e/fixtures/git-server/start-git-server";
import { getEntryFile } from "../browse/get-entry";
import { listCatalog } from "../browse/list-catalog";
import { install } from "../install/install";
import { createSource } from "../sources/create-source";
import { previewSource } from "../sources/preview-source";
import type { CreateSourceInput } from "../sources/schema";
import { getCredentialStatus, setCredential } from "../sources/source-credential";
import { deleteSource, getSource } from "../sources/sources";
import { updateSource } from "../sources/update-source";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { listUpdates } from "../update/list-updates";

const server = await startGitServer();
process.env.SKILLGATE_OUTGOING_RANGES = "127.0.0.1";
const { database, admin, sync, entries, events, options } = await testCatalog();
afterAll(() => server.close());

const TOKEN = "gl-0123456789-token";
let number = 0;

async function gitSource(
  files: Parameters<Awaited<ReturnType<typeof server.repository>>["commit"]>[0],
  input: Partial<CreateSourceInput> = {},
  served: Parameters<typeof server.repository>[1] = {},
) {
  number += 1;
  const path = `team/skills-${number}`;
  const repository = await server.repository(path, served);
  await repository.commit(files);
  const repoUrl = `${server.origin}/${path}.git`;
  const source = await createSource(admin, {
    ...{ label: `Git ${number}`, repoUrl, enabled: true, intervalMinutes: 360, sync: false },
    ...input,
  });
  return { path, repository, repoUrl, id: source.id };
}

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`skillgate-source-${process.pid}-`));

test("a private repository by git: previewed, synced, read, installed and updated", async () => {
  const files = { "skills/pdf/SKILL.md": skillMd("pdf"), "skills/pdf/run.sh": { executable: "#!/bin/sh\necho hi\n" } };
  const credential = { token: TOKEN };
  const { id, repoUrl, repository } = await gitSource(files, { credential }, { token: TOKEN });
  const seen = await previewSource(admin, { repoUrl, credential }, options);
  expect(seen).toMatchObject({ kind: "git", ref: "main", total: 1, isPrivate: true });
  const source = await sync(id);
  expect(source).toMatchObject({ state: "idle", error: null, kind: "git", hasCredential: true, isPrivate: true });
  expect(source.counts.entries).toBe(1);
  const [entry] = await entries(id);
  if (entry === undefined) throw new Error("no entry");
  expect(entry).toMatchObject({ name: "pdf", filesCount: 2, hasScripts: true });
  const listed = await listCatalog(admin, { limit: 10, source: id });
  expect(listed.items[0]).toMatchObject({
    owner: `${new URL(server.origin).host}/team`,
    webUrl: repoUrl.replace(".git", ""),
  });
  // Not read by the sync: it comes from the pinned commit.
  expect((await getEntryFile(admin, entry.id, "run.sh")).text).toContain("echo hi");
  const { reports } = await install(admin, { id: entry.id, owner: "me" });
  expect(reports[0]).toMatchObject({ outcome: "installed", files: 2 });

  server.seen.length = 0;
  expect(await sync(id)).toMatchObject({ state: "idle", requests: 1 });
  await repository.commit({ "skills/pdf/SKILL.md": skillMd("pdf", "Does more.") });
  expect(await sync(id)).toMatchObject({ state: "idle", error: null });
  expect((await entries(id))[0]?.description).toBe("Does more.");
  expect((await listUpdates(admin, { limit: 10 })).items).toHaveLength(1);
  // The next commit changes no skill.
  await repository.commit({});
  expect(await sync(id)).toMatchObject({ state: "idle", error: null });
  expect(leftovers()).toEqual([]);
  const audit = JSON.stringify(await database.reader.auditEvent.findMany());
  expect(audit).not.toContain(TOKEN);
});

test("history that was replaced, a branch that is gone and a broken host keep the former entries listed", async () => {
  const { id, repository } = await gitSource(
    { "a/SKILL.md": skillMd("a"), "b/SKILL.md": skillMd("b") },
    { ref: "main" },
  );
  await sync(id);
  await repository.orphan();
  await repository.commit({ "a/SKILL.md": skillMd("a", "After.") });
  expect((await sync(id)).counts).toMatchObject({ entries: 1, removed: 1 });
  server.fail("html");
  expect(await sync(id)).toMatchObject({ state: "failed", errorCode: "malformed_answer", counts: { entries: 1 } });
  server.fail("cut");
  await repository.commit({ "a/SKILL.md": skillMd("a", "Cut.") });
  expect(await sync(id)).toMatchObject({ state: "failed", counts: { entries: 1 } });
  server.fail(null);
  await repository.git("checkout", "--quiet", "-b", "other");
  await repository.git("branch", "-D", "main");
  expect(await sync(id)).toMatchObject({ state: "failed", errorCode: "ref_not_found", counts: { entries: 1 } });
  await repository.git("branch", "main");
  expect(await sync(id)).toMatchObject({ state: "idle", error: null, counts: { entries: 1 } });
  expect((await entries(id)).find(({ name }) => name === "a")?.description).toBe("Cut.");
});

test("files that are too large, links and submodules are handled as on GitHub", async () => {
  const { id } = await gitSource({
    "a/SKILL.md": skillMd("a"),
    "a/link.md": { linkTo: "SKILL.md" },
    "a/sub": { submodule: "1".repeat(40) },
    "big/SKILL.md": skillMd("big"),
    "big/data.bin": new Uint8Array(6 * 1024 * 1024),
    "empty/SKILL.md": "",
  });
  const source = await sync(id);
  expect(source.state).toBe("idle");
  expect((await entries(id)).map(({ name }) => name)).toContain("a");
  expect(source.skipped.map(({ folder, code }) => [folder, code])).toContainEqual(["big", "file_too_large"]);
  const files = JSON.parse((await entries(id)).find(({ name }) => name === "a")?.files ?? "[]");
  expect(files.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["file", "submodule", "symlink"]);
});

test("a credential belongs to the host of its source", async () => {
  const { id, repoUrl } = await gitSource({ "a/SKILL.md": skillMd("a") });
  await setCredential(admin, id, { token: TOKEN });
  await updateSource(admin, { id, repoUrl: repoUrl.replace(".git", "-2.git") });
  expect(await getCredentialStatus(admin, id)).toMatchObject({ isSet: true });
  await updateSource(admin, { id, repoUrl: "https://git.other.example/team/skills.git" });
  expect(await getCredentialStatus(admin, id)).toMatchObject({ isSet: false });
  await setCredential(admin, id, { token: TOKEN });
  await deleteSource(admin, id);
  expect(await database.reader.secret.count({ where: { key: `catalog.source.${id}` } })).toBe(0);
  expect(JSON.stringify(await events(id))).not.toContain(TOKEN);
});

test("a source on GitHub takes no credential of its own, and an address is one source", async () => {
  const input = { label: "x", enabled: true, intervalMinutes: 360, sync: false };
  await expect(
    createSource(admin, { ...input, repoUrl: "acme/skills", credential: { token: TOKEN } }),
  ).rejects.toMatchObject({ code: "invalid" });
  const made = await createSource(admin, { ...input, repoUrl: "git@git.acme.example:group/skills.git" });
  expect(await getSource(admin, made.id)).toMatchObject({ kind: "git", hostKeys: [], hasCredential: false });
  await expect(
    createSource(admin, { ...input, repoUrl: "https://git.acme.example/group/skills.git" }),
  ).rejects.toMatchObject({ code: "conflict" });
});
