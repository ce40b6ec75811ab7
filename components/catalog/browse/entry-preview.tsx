import { useQuery } from "@tanstack/react-query";
import { Maximize2, X } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { Skeleton } from "@/components/ui/skeleton";
import type { CatalogDetail, CatalogItem } from "@/lib/catalog/schema";
import { catalogEntryQuery } from "@/lib/client/catalog";
import { entryHref } from "../catalog-labels";
import { EntryNotices, EntryOrigin, InstallBadge } from "../entry/entry-heading";
import { EntrySections } from "../entry/entry-sections";
import { EntryInstall } from "../install/install-button";
import type { Install } from "../install/use-install";

type EntryPreviewProps = {
  id: string;
  /** From the list, shown until the details are loaded. */
  item: CatalogItem | undefined;
  install: Install;
  onClose: () => void;
};

export function EntryPreview({ id, item, install, onClose }: EntryPreviewProps) {
  const query = useQuery(catalogEntryQuery(id));
  const known = query.data ?? item;
  return (
    <aside
      aria-label={known ? `Preview of ${known.name}` : "Preview"}
      className="sticky top-(--topbar-height) flex h-[calc(100dvh-var(--topbar-height))] w-[26rem] shrink-0 flex-col border-l bg-background max-xl:hidden 2xl:w-[30rem]"
    >
      <header className="flex flex-col gap-3 border-b px-5 py-4">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {known ? <RevealedText text={known.name} /> : "Entry"}
          </h2>
          <Button asChild size="sm" variant="ghost" className="-my-0.5">
            <Link href={entryHref(id)}>
              <Maximize2 aria-hidden />
              Full page
            </Link>
          </Button>
          <IconButton label="Close preview" shortcut="escape" size="sm" className="-my-0.5" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </div>
        {known ? (
          <>
            <EntryOrigin item={known} />
            <div className="flex flex-wrap items-center gap-2">
              <ClassChip value={known.class} proposed />
              <InstallBadge item={known} />
              <span className="ml-auto">
                <EntryInstall item={known} install={install} />
              </span>
            </div>
          </>
        ) : null}
      </header>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        aria-label="Facts and playbook"
        key={id}
        className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto overscroll-contain px-5 py-4 focus-visible:-outline-offset-2"
      >
        <QueryState query={query} loading={<PreviewSkeleton />} errorTitle="This entry could not be loaded.">
          {(entry) => <Body entry={entry} />}
        </QueryState>
      </section>
    </aside>
  );
}

function Body({ entry }: { entry: CatalogDetail }) {
  return (
    <>
      <EntryNotices item={entry} />
      <p className="line-clamp-4 shrink-0 text-13" title={entry.description}>
        <RevealedText text={entry.description} />
        {entry.whenToUse ? (
          <>
            {" "}
            <RevealedText text={entry.whenToUse} />
          </>
        ) : null}
      </p>
      <EntrySections entry={entry} />
      {entry.body.trim() === "" ? null : (
        <Section title="Playbook" level={3} className="gap-2">
          <Markdown text={entry.body} />
        </Section>
      )}
    </>
  );
}

function PreviewSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">Loading the entry</span>
      {["w-full", "w-4/5", "w-1/3", "w-11/12", "w-3/4", "w-1/4", "w-5/6"].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
