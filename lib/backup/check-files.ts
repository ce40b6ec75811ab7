import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { hashFile } from "@/lib/audit/segments/read-segment";
import { MANIFEST_FILE, type Manifest, readManifest } from "./manifest";

/** The list of contents of a backup; throws with a readable message when the folder is none, or the list was changed. */
export async function openManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST_FILE), "utf8");
  } catch (cause) {
    throw new Error(`${folder} is not a backup: it has no ${MANIFEST_FILE} that can be read.`, { cause });
  }
  return readManifest(text);
}

/** What of the listed files is missing or changed, a line each. With `quick`, only sizes are looked at. */
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
