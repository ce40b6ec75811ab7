"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useCallback } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useLineHash } from "@/components/code/use-address-hash";
import { Markdown } from "@/components/markdown/markdown";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { SkillPageSkeleton } from "@/components/skills/detail/skill-page-skeleton";
import { useUrlParams, useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { FileTree } from "@/components/ui/file-tree";
import { formatBytes } from "@/components/ui/format-bytes";
import { PartNav } from "@/components/ui/pane-nav";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { CatalogDetail, CatalogFile } from "@/lib/catalog/schema";
import { ApiError } from "@/lib/client/api";
import { catalogEntryQuery } from "@/lib/client/catalog";
import { countOf, firstFile } from "../../skills/skill-labels";
import { canInstall, entryFileHref, entryHref } from "../catalog-labels";
import { EntryInstall } from "../install/install-button";
import { useInstall } from "../install/use-install";
import { EntryFile } from "./entry-file";
import { EntryNotices, EntryOrigin, InstallBadge } from "./entry-heading";
import { EntrySections } from "./entry-sections";

const InstallDialog = deferredUntil(
  async () => (await import("../install/install-dialog")).InstallDialog,
  ({ install }) => install.target !== null,
);

export function EntryPage({ id }: { id: string }) {
  const query = useQuery(catalogEntryQuery(id));
  useCrumbs([{ label: "Catalog", href: "/catalog" }, { label: query.data?.name ?? "Entry" }]);
  if (query.data) return <Loaded entry={query.data} />;
  if (!query.error) return <SkillPageSkeleton />;
  const isAbsent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <ErrorState
      isPage
      error={query.error}
      {...(isAbsent ? {} : { title: "This entry could not be loaded.", onRetry: () => void query.refetch() })}
      action={
        <Button asChild>
          <Link href="/catalog">Go to the catalog</Link>
        </Button>
      }
    />
  );
}

function Loaded({ entry }: { entry: CatalogDetail }) {
  const install = useInstall();
  const [tab] = useUrlState("tab", "overview");
  const isFiles = tab === "files";
  useShortcut("i", "Install the skill", () => install.start({ id: entry.id, name: entry.name }, "me"), {
    group: "Catalog",
    enabled: canInstall(entry),
  });
  return (
    <div className="mx-auto flex w-full max-w-[1248px] flex-1 flex-col px-4 pt-5 pb-10 md:px-6">
      <header className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex flex-wrap items-center gap-2">
              <h1 className="[overflow-wrap:anywhere]">
                <RevealedText text={entry.name} />
              </h1>
              <ClassChip value={entry.class} proposed />
              {entry.kind === "playbook" ? null : <Badge>{entry.kind === "pack" ? "Pack" : "Pipeline"}</Badge>}
              <InstallBadge item={entry} />
            </div>
            <div className="mt-0.5">
              <EntryOrigin item={entry} />
            </div>
          </div>
          <EntryInstall item={entry} install={install} />
        </div>
        <EntryNotices item={entry} />
      </header>
      <PartNav
        label="Parts of the entry"
        parts={[
          { key: "overview", label: "Overview", href: entryHref(entry.id) },
          { key: "files", label: `Files (${entry.files})`, href: `${entryHref(entry.id)}?tab=files` },
        ]}
        current={isFiles ? "files" : "overview"}
      />
      <div className="flex flex-1 flex-col pt-5">
        {isFiles ? <EntryFiles entry={entry} /> : <EntryOverview entry={entry} />}
      </div>
      <InstallDialog install={install} />
    </div>
  );
}

function EntryFiles({ entry }: { entry: CatalogDetail }) {
  const [params, setParams] = useUrlParams();
  const [target, setTarget] = useLineHash();
  const wanted = params.get("path");
  const file = entry.fileList.find(({ path }) => path === wanted) ?? firstFile(entry.fileList);
  const open = (path: string) => {
    setTarget(null);
    setParams({ path });
  };
  return (
    <div className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <FileTree
          files={entry.fileList}
          label="Files of the entry"
          selected={file?.path ?? null}
          onSelect={open}
          aside={asideOf}
          className="max-h-[60dvh] overflow-y-auto max-md:max-h-48"
        />
        <p className="px-2 text-muted-foreground text-xs tabular-nums">
          {countOf(entry.files, "file")}, {formatBytes(entry.bytes)}
        </p>
      </div>
      {file ? (
        <EntryFile
          key={file.path}
          entry={entry}
          file={file}
          target={target}
          onTarget={setTarget}
          className="h-[calc(100dvh-18rem)] min-h-96 rounded-md border"
        />
      ) : null}
    </div>
  );
}

/** Marks links, submodules and executable files in the tree. */
function asideOf({ kind, mode }: CatalogFile) {
  const word = kind === "symlink" ? "link" : kind === "submodule" ? "submodule" : mode === "755" ? "executable" : null;
  return word ? <span className="font-normal text-warning text-xs">{word}</span> : null;
}

function EntryOverview({ entry }: { entry: CatalogDetail }) {
  const [as, setAs] = useUrlState("as", "rendered");
  const isRaw = as === "raw";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <article className="flex min-w-0 flex-col gap-4">
        <p className="max-w-prose text-muted-foreground">
          <RevealedText text={entry.description || "No description"} />
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
    return <EmptyState title="The playbook is empty" description="The SKILL.md has frontmatter but no instructions." />;
  }
  return <Markdown text={body} fileHref={hrefOf} className="max-w-[46rem]" />;
}

function Source({ entry }: { entry: CatalogDetail }) {
  const [target, setTarget] = useLineHash();
  const file = firstFile(entry.fileList);
  if (!file) return <EmptyState title="No files" />;
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
