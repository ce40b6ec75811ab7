import { sha256Hex } from "@/lib/core/hash";

/** A file of a skill. `path` is relative, in NFC and checked by `safePath`; `mode` keeps only the executable bit. */
export type SkillFile = { path: string; mode: "644" | "755"; bytes: Uint8Array };

/** SHA-256 over the entries, sorted by UTF-8 path, each as `path NUL mode NUL sha256 LF`. */
export function digestFiles(files: { path: string; mode: "644" | "755"; sha256: string }[]): string {
  const sorted = files
    .map((file) => ({ ...file, key: Buffer.from(file.path, "utf8") }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  return sha256Hex(sorted.map((file) => `${file.path}\0${file.mode}\0${file.sha256}\n`).join(""));
}
