import { randomBytes } from "node:crypto";
import { chmod, link, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";

/** The secret that signs sessions: read from `auth.secret` in the data directory, which only the owner may read; made at the first start. */
export async function loadSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "auth.secret");
  const secret = (await readIfThere(file)) ?? (await create(file));
  if (secret.length < 32)
    throw new Error(`${file} has fewer than 32 characters; restore it, or delete it to sign everybody out.`);
  await chmod(file, 0o600);
  return secret;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Written beside and linked into place: the file is there as a whole or not at all, and a racer’s is kept. */
async function create(file: string): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeDurably(draft, secret);
  try {
    await link(draft, file);
    return secret;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return (await readFile(file, "utf8")).trim();
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
