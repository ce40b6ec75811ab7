import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import JSZip from "jszip";
import { afterEach, expect, test, vi } from "vitest";
import { trimArchives } from "@/lib/distribution/archive-cache";
import { packApprovedVersions } from "@/lib/distribution/pack-approved-versions";
import { PACKAGE_FORMAT } from "@/lib/distribution/package-files";
import { decideVersion } from "@/lib/review/decide-version";
import { skillFiles } from "@/lib/skill-format/testing/skill-files";
import { distributionWorld } from "./testing/distribution-world";

const { ask, person, admin, publish, database } = await distributionWorld();
const acme = await person();
const system = { ...admin.ctx, actor: { kind: "system" as const, name: "test" } };
afterEach(() => vi.restoreAllMocks());

const folder = join(database.workFolder, "door-archives");
const pack = (name: string) =>
  skillFiles({
    "SKILL.md": `---\nname: ${name}\ndescription: Does ${name}.\n---\n# ${name}\n`,
    "run.sh*": "#!/bin/sh\n",
  });
const offer = async (name: string) => {
  const { id, digest } = await publish(acme, { name, files: pack(name) });
  const version = await database.reader.version.findFirstOrThrow({ where: { skillId: id } });
  return { id, digest, path: `/a/${name}/${digest}.zip`, file: join(folder, `${version.id}.${PACKAGE_FORMAT}.zip`) };
};
const bytesOf = async (path: string, headers: Record<string, string> = {}) =>
  new Uint8Array(await (await ask(path, { headers })).arrayBuffer());
/** Clears the state of the process, as a restart does. */
const restart = () => {
  const stores = globalThis as unknown as Record<symbol, unknown>;
  for (const name of ["distribution-archives", "distribution-archives-prebuilt", "archive-cache-bytes"])
    delete stores[Symbol.for(`skillgate.${name}`)];
};
const packing = () => vi.spyOn(JSZip.prototype, "generateAsync");

test("an archive is made once a version is approved, and the next process reads it from the disk", async () => {
  const { path, file } = await offer("kept");
  await packApprovedVersions(system);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  restart();
  const made = packing();
  const zip = await JSZip.loadAsync(await bytesOf(path));
  expect(Object.keys(zip.files).sort()).toEqual(["SKILL.md", "run.sh"]);
  expect(made).not.toHaveBeenCalled();
});

test("archives of what was approved before an upgrade are made in the background", async () => {
  const { path, file } = await offer("older");
  const before = await bytesOf(path);
  rmSync(folder, { recursive: true });
  restart();
  expect(await packApprovedVersions(system)).toBeGreaterThan(0);
  expect(readFileSync(file).subarray(0, before.length)).toEqual(Buffer.from(before));
  expect(await packApprovedVersions(system)).toBe(0);
});

test("a file that was changed, cut, or is another version’s is not served", async () => {
  const [one, other] = [await offer("one"), await offer("other")];
  const right = await bytesOf(one.path);
  await bytesOf(other.path);
  const kept = readFileSync(one.file);
  const changed = Buffer.from(kept);
  changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
  for (const wrong of [changed, kept.subarray(0, 50), Buffer.alloc(0), readFileSync(other.file)]) {
    writeFileSync(one.file, wrong);
    restart();
    expect(await bytesOf(one.path)).toEqual(right);
    expect(readFileSync(one.file)).toEqual(kept);
  }
});

test("what is revoked is not served from the disk, and leaves it", async () => {
  const { id, digest, path, file } = await offer("revoked");
  await bytesOf(path);
  expect(statSync(file).isFile()).toBe(true);
  await decideVersion(admin.ctx, id, digest, { decision: "revoke", comment: "Bad." });
  restart();
  expect((await ask(path)).status).toBe(410);
  await packApprovedVersions(system);
  expect(readdirSync(folder)).not.toContain(file.split("/").at(-1));
});

test("the disk holds a bounded number of bytes: what was not used for longest goes", async () => {
  const [first, second] = [await offer("first"), await offer("second")];
  await bytesOf(first.path);
  await bytesOf(second.path);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  utimesSync(second.file, 2, 2);
  restart();
  await bytesOf(first.path); // Reading an archive counts as a use.
  await trimArchives(system, { most: statSync(first.file).size });
  expect(readdirSync(folder)).toEqual([first.file.split("/").at(-1)]);
});

test("an archive is sent in parts", async () => {
  const { path, digest } = await offer("parts");
  const whole = await ask(path);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const tag = whole.headers.get("etag") ?? "";
  expect(whole.headers.get("content-length")).toBe(String(bytes.length));
  expect(whole.headers.get("accept-ranges")).toBe("bytes");
  for (const address of [path, `/a/parts/${digest}.tar.gz`, `/a/parts/${digest}/SKILL.md`]) {
    const full = await bytesOf(address);
    const last = full.length - 1;
    for (const [range, from, to] of [
      ["bytes=0-9", 0, 9],
      [`bytes=5-${last + 100}`, 5, last],
      ["bytes=7-", 7, last],
      ["bytes=-4", last - 3, last],
      [`bytes=-${last + 100}`, 0, last],
    ] as const) {
      const part = await ask(address, { headers: { range } });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${from}-${to}/${full.length}`]);
      expect(part.headers.get("content-length")).toBe(String(to - from + 1));
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(full.slice(from, to + 1));
    }
  }
  const at = async (headers: Record<string, string>, method = "GET") => {
    const answer = await ask(path, { method, headers });
    return [answer.status, (await answer.arrayBuffer()).byteLength, answer.headers.get("content-range")];
  };
  expect(await at({ range: `bytes=${bytes.length}-` })).toEqual([416, 0, `bytes */${bytes.length}`]);
  expect(await at({ range: "bytes=-0" })).toEqual([416, 0, `bytes */${bytes.length}`]);
  for (const range of ["bytes=9-3", "bytes=-", "bytes=0-1,4-5", "lines=0-1", "bytes=a-b"])
    expect(await at({ range }), range).toEqual([200, bytes.length, null]);
  expect(await at({ range: "bytes=0-3", "if-range": tag })).toEqual([206, 4, `bytes 0-3/${bytes.length}`]);
  for (const other of ['"other"', `W/${tag}`, "Mon, 01 Jan 2024 00:00:00 GMT"])
    expect(await at({ range: "bytes=0-3", "if-range": other }), other).toEqual([200, bytes.length, null]);
  expect(await at({ range: "bytes=0-3" }, "HEAD")).toEqual([200, 0, null]);
  expect((await at({ range: "bytes=0-3", "if-none-match": tag }))[0]).toBe(304);
});
