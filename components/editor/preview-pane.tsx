"use client";

import { RevealedText } from "@/components/code/revealed-text";
import { Markdown } from "@/components/markdown/markdown";
import { AllowedTools } from "../skills/permission-list";
import type { Checked } from "./model/check-files";
import type { EditorFile } from "./model/editor-file";

type PreviewPaneProps = { file: EditorFile | undefined; checked: Checked };

/** How people will read the open file, as it is typed. */
export function PreviewPane({ file, checked }: PreviewPaneProps) {
  if (file?.path === "SKILL.md") return <PlaybookPreview manifest={checked.manifest} />;
  if (file && /\.(md|markdown)$/i.test(file.path) && file.content.kind === "text") {
    return <Markdown text={file.content.text} path={file.path} className="p-4" />;
  }
  return (
    <p className="p-4 text-13 text-muted-foreground">
      {file ? "Only Markdown files have a preview." : "Open a file to see its preview."}
    </p>
  );
}

function PlaybookPreview({ manifest }: { manifest: Checked["manifest"] }) {
  return (
    <div className="p-4">
      <p className="font-semibold text-base">
        <RevealedText text={manifest.label ?? manifest.name} />
      </p>
      <p className="mt-0.5 text-13 text-muted-foreground">
        <RevealedText text={manifest.description} />
        {manifest.whenToUse ? (
          <>
            {" "}
            <RevealedText text={manifest.whenToUse} />
          </>
        ) : null}
      </p>
      <div className="mt-3 mb-4 border-b pb-4 text-13">
        <AllowedTools allowedTools={manifest.allowedTools} />
      </div>
      <Markdown text={manifest.body} />
    </div>
  );
}
