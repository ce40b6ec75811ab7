import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Reads a file with mode 0600, created from `create` if missing. It is written beside and linked, so it is never
 * partial, and concurrent processes get the same text.
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

const SECRET = /^[\x21-\x7e]{32,}$/;

/**
 * Reads a secret of 32 random bytes in base64url from a file with mode 0600, created if missing. Throws like
 * `parseSecret`.
 */
export async function loadKeyFile(file: string, loss: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readKeyFile(dirname(file), basename(file), () => randomBytes(32).toString("base64url"));
  return parseSecret(text, file, loss);
}

/**
 * Returns the secret in the text of a key file. Throws when the file is damaged; `loss` says how to continue without
 * it.
 */
export function parseSecret(text: string, file: string, loss: string): string {
  const secret = text.trim();
  if (SECRET.test(secret)) return secret;
  throw new Error(
    `${file} does not hold a secret of 32 or more letters, digits and signs. Put the file back from a backup. ${loss}`,
  );
}
