import { isText } from "@/lib/skill-format/is-text";
import type { FileContent } from "./editor-file";

/** The content of a file that somebody chose: a text when its bytes are UTF-8, with its byte order mark if it has one. */
export async function readChosenFile(file: Blob): Promise<FileContent> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isText(bytes)) {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  }
  let binary = "";
  // In parts: one call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { kind: "bytes", base64: btoa(binary), size: bytes.length };
}
