import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";

/** Whether a folder holds exactly these files with these bytes; null, or what is different as the end of a sentence. */
export function verifyFolder(folder: string, files: { path: string; sha256: string }[]): string | null {
  const present = new Set(listFiles(folder, ""));
  for (const { path, sha256 } of files) {
    if (!present.delete(path)) return `${path} is not in the folder`;
    if (sha256Hex(readFileSync(join(folder, path))) !== sha256) return `${path} in the folder has other bytes`;
  }
  const [more] = present;
  return more === undefined ? null : `${more} in the folder is not part of what was approved`;
}

function listFiles(folder: string, inside: string): string[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, path) : [path];
  });
}
