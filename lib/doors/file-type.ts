import { isText } from "@/lib/skill-format/is-text";

/** How a file of a skill is sent: nothing that a browser would run or draw. */
export function fileType(path: string, bytes: Uint8Array): string {
  if (!isText(bytes)) return "application/octet-stream";
  return /\.md$/i.test(path) ? "text/markdown; charset=utf-8" : "text/plain; charset=utf-8";
}
