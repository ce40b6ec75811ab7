import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

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

const SECRET = /^[\x21-\x7e]{32,}$/;

/**
 * A random secret of 32 bytes in base64url, read from a file that only the owner may read; made when it is missing. Throws
 * what `parseSecret` throws.
 */
export async function loadKeyFile(file: string, loss: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const text = await readKeyFile(dirname(file), basename(file), () => randomBytes(32).toString("base64url"));
  return parseSecret(text, file, loss);
}

/** The secret in a key file's text. Throws when the file was cut or garbled; `loss` says how to go on without the file. */
export function parseSecret(text: string, file: string, loss: string): string {
  const secret = text.trim();
  if (SECRET.test(secret)) return secret;
  throw new Error(
    `${file} does not hold a secret of 32 or more letters, digits and signs. Put the file back from a backup. ${loss}`,
  );
}
