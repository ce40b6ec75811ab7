import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** Copies a file to one that is not there, for its owner's eyes only, and waits until it is on the disk; answers its SHA-256. */
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

/** Waits until a file, or the names in a folder, are on the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
