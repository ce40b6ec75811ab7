import { useState } from "react";
import { formatBytes } from "@/components/ui/format-bytes";
import { useToast } from "@/components/ui/toast";
import { isText } from "@/lib/skill-format/archive/decode-text";
import { MAX_FILE_BYTES } from "@/lib/skill-format/archive/limits";
import { type EditorFile, type FileContent, sizeOf } from "./model/editor-file";
import { pathProblem } from "./model/path-problem";
import type { Editor } from "./use-editor";

type AskedPath = { kind: "add" } | { kind: "rename"; path: string };

export function useFileActions({ state, dispatch }: Editor) {
  const { toast } = useToast();
  const [asked, setAsked] = useState<AskedPath | null>(null);
  const { files } = state;

  const add = (path: string) =>
    dispatch({ type: "put", file: { path, mode: "644", content: { kind: "text", text: "" } } });

  const rename = (path: string, to: string) => {
    dispatch({ type: "rename", path, to });
    toast({ title: `${path} renamed to ${to}.`, undo: () => dispatch({ type: "rename", path: to, to: path }) });
  };

  const remove = (file: EditorFile) => {
    dispatch({ type: "remove", path: file.path });
    toast({ title: `${file.path} removed.`, undo: () => dispatch({ type: "restore-file", file }) });
  };

  const upload = async (chosen: readonly File[], inPlaceOf?: EditorFile) => {
    for (const file of chosen) {
      const path = inPlaceOf?.path ?? file.name.normalize("NFC");
      const before = files.find((other) => other.path === path);
      const others = files.filter((other) => other !== before).map((other) => other.path);
      const problem =
        file.size > MAX_FILE_BYTES
          ? `The file is larger than the limit of ${MAX_FILE_BYTES / 1024 / 1024} MiB.`
          : pathProblem(path, others);
      if (problem !== null) {
        toast({ title: `${file.name} was not added.`, description: problem, tone: "danger" });
        continue;
      }
      const mode = before?.mode ?? "644";
      dispatch({ type: "put", file: { path, mode, content: await readChosenFile(file) } });
      if (before) {
        const title = `${path} replaced: ${formatBytes(sizeOf(before))} before, ${formatBytes(file.size)} now.`;
        toast({ title, undo: () => dispatch({ type: "put", file: before }) });
      }
    }
  };

  return { asked, setAsked, add, rename, remove, upload };
}

export type FileActions = ReturnType<typeof useFileActions>;

/** Reads an uploaded file: text when its bytes are UTF-8 (a byte order mark is kept), else bytes. */
async function readChosenFile(file: Blob): Promise<FileContent> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isText(bytes)) {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  }
  let binary = "";
  // In chunks: a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { kind: "bytes", base64: btoa(binary), size: bytes.length };
}
