"use client";

import { useQuery } from "@tanstack/react-query";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { FileDiffView } from "@/components/code/file-diff";
import { QueryState } from "@/components/state/query-state";
import { Digest } from "@/components/ui/digest";
import { Section } from "@/components/ui/section";
import { updatePreviewQuery } from "@/lib/client/catalog-updates";
import { DeclaredChanges } from "../../skills/declared-changes";
import { countOf } from "../../skills/skill-words";

/** What an update changes: what it declares first, then file by file. */
export function UpdateDiff({ skillId }: { skillId: string }) {
  const query = useQuery(updatePreviewQuery(skillId));
  return (
    <QueryState query={query} errorTitle="The update could not be read.">
      {({ files, changes, notes, against, commit }) => (
        <div className="flex flex-col gap-3">
          <p className="flex flex-wrap items-center gap-x-1 text-13 text-muted-foreground">
            {files.length === 0
              ? "No file differs"
              : `${countOf(files.length, "file")} differ${files.length === 1 ? "s" : ""}`}{" "}
            between the installed version <Digest value={against} label="digest of the installed version" /> and commit{" "}
            <Digest value={commit} label="commit" />
          </p>
          <DeclaredChanges changes={changes} />
          {files.map((file) => (
            <FileDiffView key={file.path} file={file} />
          ))}
          {notes.length > 0 ? (
            <Section title="What does not fit here" level={3} className="gap-1">
              <DiagnosticList diagnostics={notes} />
            </Section>
          ) : null}
        </div>
      )}
    </QueryState>
  );
}
