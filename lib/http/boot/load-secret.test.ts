import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadSecret } from "./boot-server";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function dataDir() {
  const folder = await mkdtemp(join(tmpdir(), "skillgate-secret-"));
  folders.push(folder);
  return folder;
}

const mode = async (folder: string) => (await stat(join(folder, "auth.secret"))).mode & 0o777;

test("the secret is made once, of 32 random bytes, for the owner’s eyes only", async () => {
  const folder = await dataDir();
  const secret = await loadSecret(folder);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(await loadSecret(folder)).toBe(secret);
  expect(await mode(folder)).toBe(0o600);
  expect(await readdir(folder)).toEqual(["auth.secret"]);
});

test("two that start at the same time agree", async () => {
  const folder = await dataDir();
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadSecret(folder)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(folder)).toEqual(["auth.secret"]);
});

test("a file that others could read is closed again", async () => {
  const folder = await dataDir();
  const secret = await loadSecret(folder);
  await chmod(join(folder, "auth.secret"), 0o644);
  expect(await loadSecret(folder)).toBe(secret);
  expect(await mode(folder)).toBe(0o600);
});

test("a file that was cut is refused by name", async () => {
  const folder = await dataDir();
  await writeFile(join(folder, "auth.secret"), "short");
  await expect(loadSecret(folder)).rejects.toThrow(/auth\.secret does not hold a secret of 32/);
});
