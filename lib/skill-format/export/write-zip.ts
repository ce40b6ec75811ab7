import { deflateRawSync } from "node:zlib";
import JSZip from "jszip";
import { MAX_RATIO, RATIO_FLOOR_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";

/** The first moment that a ZIP can hold (MS-DOS time), so that equal files make equal bytes. */
const FIXED_DATE = new Date(Date.UTC(1980, 0, 1));

/**
 * A ZIP of one skill under `folder/`, or at the root of the archive when that is empty; entries sorted by path, with fixed
 * times and Unix modes. The same input always gives the same bytes, and `readArchive` reads it back to the same files.
 */
export async function writeZip(folder: string, files: SkillFile[]): Promise<Uint8Array> {
  return writeZipOfFolders([{ folder, files }]);
}

/** The same for several folders, in the order given, with texts by path beside them. */
export async function writeZipOfFolders(
  folders: { folder: string; files: SkillFile[] }[],
  beside: Record<string, string> = {},
): Promise<Uint8Array> {
  const zip = new JSZip();
  for (const [path, text] of Object.entries(beside)) {
    zip.file(path, text, { date: FIXED_DATE, createFolders: false, unixPermissions: 0o100644, compression: "DEFLATE" });
  }
  for (const { folder, files } of folders) {
    for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      zip.file(folder === "" ? file.path : `${folder}/${file.path}`, file.bytes, {
        date: FIXED_DATE,
        createFolders: false,
        unixPermissions: file.mode === "755" ? 0o100755 : 0o100644,
        compression: wouldLookLikeABomb(file.bytes) ? "STORE" : "DEFLATE",
        compressionOptions: { level: 9 },
      });
    }
  }
  return await zip.generateAsync({ type: "uint8array", platform: "UNIX" });
}

// Half of the reader's ratio leaves room for the difference between this deflate and JSZip's.
function wouldLookLikeABomb(bytes: Uint8Array): boolean {
  return (
    bytes.length > RATIO_FLOOR_BYTES && deflateRawSync(bytes, { level: 9 }).length * (MAX_RATIO / 2) < bytes.length
  );
}
