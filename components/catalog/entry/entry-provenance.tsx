import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CatalogDetail } from "@/lib/catalog/schema";
import { commitUrl, entryHref, folderWords } from "../catalog-words";

/** Repository, commit and folder that the bytes come from, with the way out to them. */
export function EntryProvenance({ entry }: { entry: CatalogDetail }) {
  const { repository, ref, commit, folder, webUrl, syncedAt, treeSha } = entry.provenance;
  const page = commitUrl(webUrl, repository, commit);
  return (
    <div className="flex flex-col gap-2">
      <DefinitionList
        items={[
          { term: "Repository", value: <RevealedText text={repository} className="[overflow-wrap:anywhere]" /> },
          { term: "Branch or tag", value: <RevealedText text={ref} /> },
          {
            term: "Commit",
            value: (
              <span className="inline-flex items-center gap-1.5">
                <Digest value={commit} label="commit" />
                {page ? <OutLink href={page} label={`Commit ${commit.slice(0, 7)} on its website`} /> : null}
              </span>
            ),
          },
          {
            term: "Folder",
            value: <RevealedText text={folderWords(folder)} className="[overflow-wrap:anywhere]" />,
          },
          { term: "Tree", value: <Digest value={treeSha} label="git tree of the folder" /> },
          { term: "Changed", value: <RelativeTime value={entry.changedAt} /> },
          ...(syncedAt ? [{ term: "Last synced", value: <RelativeTime value={syncedAt} /> }] : []),
        ]}
      />
      <a
        href={webUrl}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="inline-flex w-fit items-center gap-1.5 text-13 text-primary underline underline-offset-2"
      >
        See the folder at this commit
        <ExternalLink aria-hidden className="size-3.5" />
        <span className="sr-only">(opens another site)</span>
      </a>
    </div>
  );
}

function OutLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-label={label}
      title={label}
      className="inline-flex size-6 items-center justify-center rounded-sm text-muted-foreground hover:text-foreground"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}

/** Other folders that hold the same bytes. */
export function OtherPlaces({ entry }: { entry: CatalogDetail }) {
  const others = entry.places.filter(({ id }) => id !== entry.id);
  return (
    <ul className="flex flex-col gap-1 text-13">
      {others.map((place) => (
        <li key={place.id} className="min-w-0">
          <Link
            href={entryHref(place.id)}
            className="text-primary underline underline-offset-2 [overflow-wrap:anywhere]"
          >
            <RevealedText text={`${place.repository}/${place.folder}`} />
          </Link>{" "}
          <span className="text-muted-foreground text-xs">
            <RevealedText text={place.sourceLabel} />
          </span>
        </li>
      ))}
    </ul>
  );
}
