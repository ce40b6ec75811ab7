import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { hashFile } from "@/lib/audit/segments";
import { MANIFEST_FILE, type Manifest, readManifest } from "./manifest";

/** Reads the manifest of a backup; throws a readable error when it is missing or was changed. */
export async function openManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_FILE), "utf8");
  } catch (cause) {
    throw new Error(`${folder} is not a backup: it has no readable ${MANIFEST_FILE}.`, { cause });
  }
  return readManifest(text);
}

/** Missing and changed files, one line each. With `quick` only sizes are compared. */
export async function checkFiles(
  folder: string,
  { files }: Pick<Manifest, "files">,
  { quick = false }: { quick?: boolean } = {},
): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const file = join(folder, path);
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile()) problems.push(`${path} is missing`);
    else if (found.size !== bytes) problems.push(`${path} has ${found.size} bytes instead of ${bytes}`);
    else if (!quick && (await hashFile(file)) !== sha256) problems.push(`${path} was changed: its checksum differs`);
  }
  return problems;
}

/** Copies a file to a new one with mode 0600, waits until it is on disk, and returns its SHA-256. */
export async function copyFile(from: string, to: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: "wx", mode: 0o600, flush: true }),
  );
  return hash.digest("hex");
}

/** Waits until a file, or the entries of a folder, are on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
