"use client";

import { useCallback } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { useLineHash } from "@/components/code/use-line-hash";
import { Markdown } from "@/components/markdown/markdown";
import { useUrlState } from "@/components/state/use-url-params";
import { EmptyState } from "@/components/ui/empty-state";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { CatalogDetail } from "@/lib/catalog/schema";
import { firstFile } from "../../skills/first-file";
import { entryFileHref } from "../catalog-words";
import { EntryFile } from "./entry-file";
import { EntrySections } from "./entry-sections";

/** What the skill says, as prose or as it is written, and beside it what it may do. */
export function EntryOverview({ entry }: { entry: CatalogDetail }) {
  const [as, setAs] = useUrlState("as", "rendered");
  const isRaw = as === "raw";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <article className="flex min-w-0 flex-col gap-4">
        <p className="max-w-prose text-muted-foreground">
          <RevealedText text={entry.description || "Without a description."} />
          {entry.whenToUse ? (
            <>
              {" "}
              <RevealedText text={entry.whenToUse} />
            </>
          ) : null}
        </p>
        <SegmentedControl
          label="Show the playbook"
          className="w-fit"
          value={isRaw ? "raw" : "rendered"}
          onValueChange={setAs}
          options={[
            { value: "rendered", label: "Rendered" },
            { value: "raw", label: "Source" },
          ]}
        />
        {isRaw ? <Source entry={entry} /> : <Rendered entry={entry} />}
      </article>
      <aside aria-label="Facts about the entry" className="flex flex-col gap-7">
        <EntrySections entry={entry} />
      </aside>
    </div>
  );
}

function Rendered({ entry }: { entry: CatalogDetail }) {
  const { id, fileList, body } = entry;
  const hrefOf = useCallback(
    (path: string) => (fileList.some((file) => file.path === path) ? entryFileHref(id, path) : null),
    [fileList, id],
  );
  if (body.trim() === "") {
    return <EmptyState title="The playbook is empty" description="It has a head and no instructions." />;
  }
  return <Markdown text={body} fileHref={hrefOf} className="max-w-[46rem]" />;
}

/** The file that makes the folder a skill, with its head. */
function Source({ entry }: { entry: CatalogDetail }) {
  const [target, setTarget] = useLineHash();
  const file = firstFile(entry.fileList);
  if (!file) return <EmptyState title="It has no files" />;
  return (
    <EntryFile
      entry={entry}
      file={file}
      target={target}
      onTarget={setTarget}
      className="h-[calc(100dvh-16rem)] min-h-96 rounded-md border"
    />
  );
}
