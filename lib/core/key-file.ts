import { randomBytes } from "node:crypto";
import { chmod, link, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * The text of a file that only its owner may read (mode 0600); made from `create` the first time. It is written beside and
 * linked into place: it is there as a whole or not at all, and of two processes that make it at once both get the same.
 */
export async function readKeyFile(folder: string, name: string, create: () => string): Promise<string> {
  const file = join(folder, name);
  const text = (await readIfThere(file)) ?? (await write(file, create()));
  await chmod(file, 0o600);
  return text;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

async function write(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await link(draft, file);
    return text;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return readFile(file, "utf8");
    throw error;
  } finally {
    await handle.close();
    await unlink(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
