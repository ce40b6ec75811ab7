import { sha256Hex } from "@/lib/core/hash";

/**
 * How the clawhub CLI (0.23.3) recognises what it installed: SHA-256 over `path:sha256`, one a line, sorted as it sorts. It
 * leaves out files of which a part of the path begins with a dot, and `node_modules`.
 */
export function fingerprintFiles(files: readonly { path: string; sha256: string }[]): string {
  const lines = files
    .filter(({ path }) => path.split("/").every((part) => !part.startsWith(".") && part !== "node_modules"))
    .sort((a, b) => a.path.localeCompare(b.path))
    .map(({ path, sha256 }) => `${path}:${sha256}`);
  return sha256Hex(lines.join("\n"));
}
