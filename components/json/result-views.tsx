import { parsePatch } from "diff";
import { FileDiffView } from "@/components/code/file-diff";
import { RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import type { FileDiff } from "@/lib/skills/versions/schema";
import { saveBlob } from "./download-button";
import type { ResultFile, ResultText } from "./result-forms";

const textShownAtMost = 200_000;
const filePreview = 2_000;

/** A text result: rendered Markdown, the files of a diff, or the lines as they are. */
export function TextView({ result: { kind, text }, label }: { result: ResultText; label: string }) {
  if (kind === "diff") return <DiffView text={text} />;
  const shown = text.length > textShownAtMost ? `${text.slice(0, textShownAtMost)}\n…` : text;
  return (
    <section
      aria-label={`${label} as text`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[40rem] overflow-auto px-4 py-3 focus-visible:-outline-offset-2"
    >
      {kind === "markdown" ? (
        <Markdown text={shown} className="max-w-[46rem]" />
      ) : (
        <pre className="whitespace-pre-wrap font-mono text-xs leading-5 wrap-anywhere">
          <RevealedText text={shown} />
        </pre>
      )}
    </section>
  );
}

function DiffView({ text }: { text: string }) {
  const files = readDiff(text);
  if (files === null) return <Notice tone="warning">The diff could not be read. Switch to Raw to see it.</Notice>;
  return (
    <div className="flex flex-col gap-3 p-3">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice
        <FileDiffView key={index} file={file} />
      ))}
    </div>
  );
}

/** The files of a unified diff; null when it is cut off or malformed. */
export function readDiff(text: string): FileDiff[] | null {
  try {
    return parsePatch(text)
      .filter(({ hunks }) => hunks.length > 0)
      .map(({ oldFileName, newFileName, hunks }) => {
        const before = nameIn(oldFileName);
        const after = nameIn(newFileName);
        const change = before === null ? "added" : after === null ? "removed" : "changed";
        return { path: after ?? before ?? "File", change, modeBefore: null, modeAfter: null, hunks };
      });
  } catch {
    return null;
  }
}

function nameIn(header: string | undefined): string | null {
  return header === undefined || header === "/dev/null" ? null : header.replace(/^[ab]\//, "");
}

/** The files of a result, each with its size, its beginning and a download. */
export function FilesView({ files, label }: { files: readonly ResultFile[]; label: string }) {
  return (
    <ul aria-label={`${label}, files`} className="divide-y">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same name may be there twice
        <li key={index} className="flex flex-col gap-2 px-4 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
            <RevealedText text={file.name} className="min-w-0 font-medium font-mono text-xs wrap-anywhere" />
            <span className="text-muted-foreground text-xs tabular-nums">
              {[file.mediaType, formatBytes(bytesOf(file).size)].filter(Boolean).join(" · ")}
            </span>
            <Button
              size="sm"
              className="ml-auto"
              onClick={() => saveBlob(file.name.split(/[\\/]/).at(-1) || "file", bytesOf(file))}
            >
              Download <span className="sr-only">{file.name}</span>
            </Button>
          </div>
          {"text" in file && file.text !== "" ? (
            <pre className="max-h-48 overflow-hidden whitespace-pre-wrap rounded-md bg-muted px-3 py-2 font-mono text-xs leading-5 wrap-anywhere">
              <RevealedText text={file.text.length > filePreview ? `${file.text.slice(0, filePreview)}…` : file.text} />
            </pre>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** Downloads have a neutral type, so that the browser never opens them as a page. */
function bytesOf(file: ResultFile): Blob {
  const type = "application/octet-stream";
  if ("text" in file) return new Blob([file.text], { type });
  return new Blob([Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0))], { type });
}
