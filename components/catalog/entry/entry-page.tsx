"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { SkillPageSkeleton } from "@/components/skills/detail/skill-page-skeleton";
import { useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { ErrorState } from "@/components/ui/error-state";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { CatalogDetail } from "@/lib/catalog/schema";
import { ApiError } from "@/lib/client/api";
import { catalogEntryQuery } from "@/lib/client/catalog";
import { entryHref } from "../catalog-words";
import { canInstall } from "../install/can-install";
import { EntryInstall } from "../install/install-button";
import { InstallDialog } from "../install/install-dialog";
import { useInstall } from "../install/use-install";
import { EntryFiles } from "./entry-files";
import { EntryOrigin } from "./entry-heading";
import { EntryNotices } from "./entry-notices";
import { EntryOverview } from "./entry-overview";
import { InstallBadge } from "./install-badge";

/** Everything there is to know of an entry before it is installed. */
export function EntryPage({ id }: { id: string }) {
  const query = useQuery(catalogEntryQuery(id));
  useCrumbs([{ label: "Catalog", href: "/catalog" }, { label: query.data?.name ?? "Entry" }]);
  if (query.data) return <Loaded entry={query.data} />;
  if (!query.error) return <SkillPageSkeleton />;
  const isAbsent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <ErrorState
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
              <ClassChip value={entry.class} />
              {entry.kind === "playbook" ? null : <Badge>{entry.kind}</Badge>}
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
      <nav aria-label="Parts of the entry" className={`${tabListStyles} mt-3`}>
        <Tab href={entryHref(entry.id)} label="Overview" isCurrent={!isFiles} />
        <Tab href={`${entryHref(entry.id)}?tab=files`} label={`Files (${entry.files})`} isCurrent={isFiles} />
      </nav>
      <div className="flex flex-1 flex-col pt-5">
        {isFiles ? <EntryFiles entry={entry} /> : <EntryOverview entry={entry} />}
      </div>
      <InstallDialog install={install} />
    </div>
  );
}

function Tab({ href, label, isCurrent }: { href: string; label: string; isCurrent: boolean }) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={isCurrent ? "page" : undefined}
      data-active={isCurrent}
      className={tabStyles}
    >
      {label}
    </Link>
  );
}
