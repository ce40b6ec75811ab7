import type { BaseFile, NewFiles } from "@/lib/client/editing";
import type { CreateVersionInput } from "@/lib/skills/versions/schema";

export type FileContent =
  | { kind: "text"; text: string }
  | { kind: "bytes"; base64: string; size: number }
  /** Stored bytes that were not fetched: a binary, or a text that was not opened. */
  | { kind: "stored"; sha256: string; size: number; isText: boolean };

export type EditorFile = { path: string; mode: "644" | "755"; content: FileContent };

export function fromBase({ path, mode, sha256, size, isText, text }: BaseFile): EditorFile {
  return { path, mode, content: text === null ? { kind: "stored", sha256, size, isText } : { kind: "text", text } };
}

export function sizeOf({ content }: EditorFile): number {
  return content.kind === "text" ? new TextEncoder().encode(content.text).length : content.size;
}

export function bytesOf({ content }: EditorFile): Uint8Array {
  if (content.kind === "text") return new TextEncoder().encode(content.text);
  if (content.kind === "stored") return new Uint8Array();
  return Uint8Array.from(atob(content.base64), (char) => char.charCodeAt(0));
}

type FileChange = "same" | "added" | "changed";

export function changeOf(file: EditorFile, base: readonly BaseFile[]): FileChange {
  const before = base.find(({ path }) => path === file.path);
  if (!before) return "added";
  return before.mode === file.mode && hasBytesOf(file.content, before) ? "same" : "changed";
}

export function isChanged(files: readonly EditorFile[], base: readonly BaseFile[]): boolean {
  return files.length !== base.length || files.some((file) => changeOf(file, base) !== "same");
}

/** The files as the API takes them; stored bytes are referenced by hash. */
export function toVersionInput(files: readonly EditorFile[], base: readonly BaseFile[]): CreateVersionInput["files"] {
  return files.map(({ path, mode, content }) => {
    const kept = keptHash(content, base);
    if (kept !== null) return { path, mode, sha256: kept };
    return content.kind === "text" ? { path, mode, text: content.text } : { path, mode, base64: base64Of(content) };
  });
}

/** Like `toVersionInput`, for a new skill: all bytes are sent. */
export function toNewFiles(files: readonly EditorFile[]): NewFiles {
  return files.map(({ path, mode, content }) =>
    content.kind === "text" ? { path, mode, text: content.text } : { path, mode, base64: base64Of(content) },
  );
}

/** The hash of these bytes in the base version, at any path; null when it lacks them. */
export function keptHash(content: FileContent, base: readonly BaseFile[]): string | null {
  if (content.kind === "stored") return content.sha256;
  return base.find((before) => hasBytesOf(content, before))?.sha256 ?? null;
}

function hasBytesOf(content: FileContent, before: BaseFile): boolean {
  if (content.kind === "stored") return content.sha256 === before.sha256;
  return content.kind === "text" && before.text === content.text;
}

function base64Of(content: FileContent): string {
  if (content.kind !== "bytes") throw new Error("bytes that were not fetched cannot be sent");
  return content.base64;
}
