import { afterAll, expect, test } from "vitest";
import { getEntry, getEntryFile } from "../browse/get-entry";
import { listCatalog } from "../browse/list-catalog";
import { listPacks } from "../browse/list-packs";
import { install } from "../install/install";
import { createSource } from "../sources/create-source";
import { previewSource } from "../sources/preview-source";
import type { RegistryKind } from "../sources/schema";
import { setCredential } from "../sources/source-credential";
import { updateSource } from "../sources/update-source";
import { type HostedProtocol, startRegistryHost } from "../testing/registry-host";
import { skillMd, testCatalog } from "../testing/test-catalog";
import { listUpdates } from "../update/list-updates";

process.env.SKILLGATE_OUTGOING_RANGES = "127.0.0.1";
const { database, admin, sync, entries, options } = await testCatalog();
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function registry(kind: RegistryKind, protocol: HostedProtocol, address = "") {
  const host = await startRegistryHost(protocol);
  closing.push(host.close);
  await host.publish({
    "pdf/SKILL.md": skillMd("pdf"),
    "pdf/scripts/run.sh": { executable: "#!/bin/sh\necho hi\n" },
    "mail/SKILL.md": skillMd("mail"),
  });
  const repoUrl = `${host.origin}${address}`;
  const given = { label: protocol, kind, enabled: true, intervalMinutes: 360, sync: false };
  const { id } = await createSource(admin, { ...given, repoUrl });
  const entryOf = async (name: string) => {
    const found = (await entries(id)).find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no entry ${name}`);
    return found;
  };
  return { host, id, repoUrl, entryOf };
}

const KINDS: [RegistryKind, HostedProtocol, string, object][] = [
  ["index", "index", "", { publisher: "acme", version: "1.0.0", digest: expect.stringMatching(/^sha256:/) }],
  ["skillgate", "index", "", { publisher: "acme", version: "1.0.0", digest: expect.stringMatching(/^sha256:/) }],
  ["index", "first-index", "", { publisher: null, version: null, digest: null }],
  ["clawhub", "clawhub", "", { publisher: "acme", version: "1.0.1", digest: null }],
  [
    "marketplace",
    "npm",
    "/marketplace.json",
    { publisher: "Acme", version: "2.0.0", digest: expect.stringMatching(/^sha512-/) },
  ],
];

test.each(KINDS)(
  "a source of kind %s (%s) is previewed, browsed, installed and updated",
  async (kind, protocol, address, stated) => {
    const { host, id, repoUrl, entryOf } = await registry(kind, protocol, address);
    expect(await previewSource(admin, { kind, repoUrl }, options)).toMatchObject({ kind, ref: "latest", total: 2 });
    expect(await sync(id)).toMatchObject({ state: "idle", error: null, counts: { entries: 2 } });
    const pdf = await entryOf("pdf");
    const detail = await getEntry(admin, pdf.id);
    expect(detail.operatorIndex?.release).toMatchObject({ ...stated, found: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect((await listCatalog(admin, { limit: 10, source: id, q: "pdf" })).items).toHaveLength(1);
    expect((await getEntryFile(admin, pdf.id, "scripts/run.sh")).text).toContain("echo hi");
    const { reports, skills } = await install(admin, { id: pdf.id, owner: "me" });
    expect(reports[0]).toMatchObject({ outcome: "installed", files: 2 });

    host.seen.length = 0;
    expect(await sync(id)).toMatchObject({ state: "idle", error: null });
    // What has the same key is not downloaded again; the older index states nothing to compare.
    if (protocol !== "first-index") expect(host.seen.filter(({ path }) => /zip|tgz|download/.test(path))).toEqual([]);

    await host.publish({ "pdf/SKILL.md": skillMd("pdf", "Does more.") });
    host.seen.length = 0;
    expect(await sync(id)).toMatchObject({ state: "idle", error: null, counts: { entries: 2 } });
    expect((await entryOf("pdf")).description).toBe("Does more.");
    if (protocol !== "first-index")
      expect(host.seen.filter(({ path }) => /zip|tgz|download/.test(path))).toHaveLength(1);
    const updates = (await listUpdates(admin, { limit: 50 })).items.filter(({ skillId }) => skillId === skills[0]?.id);
    expect(updates).toMatchObject([{ state: "available", files: [{ path: "SKILL.md", change: "changed" }] }]);
    // The other tests install a skill of the same name.
    await database.writer.skill.updateMany({ data: { deletedAt: new Date(), liveSlug: null } });
  },
);

test.each(KINDS.filter(([, protocol]) => protocol !== "first-index"))(
  "bytes of a source of kind %s (%s) that are not what it states are refused, and the former entry stays",
  async (kind, protocol, address) => {
    const { host, id, entryOf } = await registry(kind, protocol, address);
    await sync(id);
    const before = await entryOf("pdf");
    await host.publish({ "pdf/SKILL.md": skillMd("pdf", "Forged.") });
    host.forge("pdf", Buffer.from("PK\u0003\u0004 something else"));
    const failed = await sync(id);
    expect(failed).toMatchObject({ state: "idle", counts: { entries: 2 } });
    expect(failed.skipped).toMatchObject([{ folder: "pdf", code: "release_unreadable" }]);
    expect(await entryOf("pdf")).toMatchObject({
      id: before.id,
      description: before.description,
      treeSha: before.treeSha,
    });
    // The registry states the same as before, and yet the skill is tried again.
    host.forge("pdf", null);
    expect((await sync(id)).skipped).toEqual([]);
    expect((await entryOf("pdf")).description).toBe("Forged.");
  },
);

test("a registry that is gone, or sends a page, keeps its entries listed", async () => {
  const { host, id } = await registry("clawhub", "clawhub");
  await sync(id);
  for (const fault of ["down", "html", "cut"] as const) {
    host.fail(fault);
    expect(await sync(id)).toMatchObject({ state: "failed", counts: { entries: 2 } });
  }
});

test("plugins of a marketplace are packs, and a plugin that cannot be read is named", async () => {
  const { host, id } = await registry("marketplace", "npm", "/marketplace.json");
  await host.publish({
    "office/skills/xlsx/SKILL.md": skillMd("xlsx"),
    "office/skills/docx/SKILL.md": skillMd("docx"),
  });
  expect(await sync(id)).toMatchObject({ counts: { entries: 4, packs: 3 } });
  const packs = (await listPacks(admin, { limit: 50 })).items.filter(({ sourceId }) => sourceId === id);
  expect(
    packs
      .find(({ name }) => name === "office")
      ?.members.map(({ name }) => name)
      .sort(),
  ).toEqual(["docx", "xlsx"]);
});

test("the token goes to the registry's own origin only, and is forgotten with its host", async () => {
  const { host, id, repoUrl } = await registry("marketplace", "npm", "/marketplace.json");
  await setCredential(admin, id, { token: "t0ken-of-the-registry" });
  await sync(id);
  expect(new Set(host.seen.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer t0ken-of-the-registry"]),
  );
  await updateSource(admin, { id, repoUrl: repoUrl.replace("127.0.0.1", "localhost"), kind: "marketplace" });
  expect(await database.reader.secret.count({ where: { key: `catalog.source.${id}` } })).toBe(0);
});

test.each([
  ["index", "https://user:pass@skills.example.test", "repoUrl"],
  ["index", "https://skills.example.test/?q=1", "repoUrl"],
  ["clawhub", "ftp://skills.example.test", "repoUrl"],
  ["marketplace", "https://skills.example.test/plugins", "repoUrl"],
  ["skillgate", "https://skills.example.test/index.json", "repoUrl"],
] as const)("a source of kind %s does not take the address %s", async (kind, repoUrl, path) => {
  const input = { label: "x", enabled: true, intervalMinutes: 360, sync: false, kind, repoUrl };
  await expect(createSource(admin, input)).rejects.toMatchObject({ code: "invalid", errors: [{ path }] });
});

test("the kind of a registry follows from an address that can be nothing else", async () => {
  const input = { label: "x", enabled: true, intervalMinutes: 360, sync: false };
  const kindOf = async (repoUrl: string) => (await createSource(admin, { ...input, repoUrl })).kind;
  expect(await kindOf("https://a.example.test/.well-known/agent-skills/index.json")).toBe("index");
  expect(await kindOf("https://b.example.test/.well-known/skills/")).toBe("index");
  expect(await kindOf("https://clawhub.ai")).toBe("clawhub");
  expect(await kindOf("https://c.example.test/marketplace.json")).toBe("marketplace");
});
