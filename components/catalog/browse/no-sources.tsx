import { CloudOff, Library } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { useAction } from "@/components/forms/use-action";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import type { CatalogSourceStatus } from "@/lib/catalog/schema";
import { catalogKey, sourcesKey, syncSource } from "@/lib/client/catalog";

/** The empty catalog: names sources that could not be read, else tells admins to add one, and other people to ask. */
export function NoSources({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  const isAdmin = useMe()?.user.role === "admin";
  const hasSources = sources.length > 0;
  const failed = sources.filter(({ error }) => error !== null);
  if (failed.length > 0) return <UnreadSources failed={failed} all={sources.length} isAdmin={isAdmin} />;
  const isWaiting = sources.some(({ syncedAt }) => syncedAt === null);
  const action = (
    <Button asChild variant={hasSources ? "secondary" : "primary"}>
      <Link href={hasSources ? "/settings/catalog" : "/settings/catalog?add=1"}>
        {hasSources ? "View sources" : "Add a source"}
      </Link>
    </Button>
  );
  return (
    <EmptyState
      icon={Library}
      title={
        isWaiting ? "The first sync is running" : hasSources ? "The sources contain no skills yet" : "No sources yet"
      }
      description={
        isWaiting
          ? "Skills appear here when it is done. You can leave this page."
          : hasSources
            ? "None of the repositories contains a folder with a SKILL.md."
            : isAdmin
              ? "The catalog shows the skills of GitHub repositories that you add. Everyone can read them and install them for review."
              : "The catalog shows the skills of repositories that admins add. Ask an admin of this server to add one."
      }
      action={isAdmin ? action : null}
    />
  );
}

type UnreadSourcesProps = { failed: readonly CatalogSourceStatus[]; all: number; isAdmin: boolean };

/** What could not be read and why. An empty catalog after a failed sync does not mean that there are no skills. */
function UnreadSources({ failed, all, isAdmin }: UnreadSourcesProps) {
  const sync = useAction(() => Promise.all(failed.map(({ id }) => syncSource(id))), {
    refresh: [sourcesKey, catalogKey],
    done: "The sync was started. Skills appear here when it is done.",
    failed: "The sync was not started.",
  });
  return (
    <EmptyState
      icon={CloudOff}
      title={
        failed.length < all
          ? `${failed.length} of ${all} sources could not be read`
          : all === 1
            ? "The source could not be read"
            : "The sources could not be read"
      }
      description={
        <>
          <ul className="flex flex-col gap-2">
            {failed.map(({ id, label, error }) => (
              <li key={id}>
                <span className="font-medium text-foreground">
                  <RevealedText text={label} />
                </span>
                : {error}
              </li>
            ))}
          </ul>
          {isAdmin ? null : <p className="mt-2">Ask an admin of this server to check the source.</p>}
        </>
      }
      action={
        isAdmin ? (
          <>
            <Button variant="primary" pending={sync.isPending} onClick={() => sync.mutate()}>
              Sync again
            </Button>
            <Button asChild>
              <Link href="/settings/catalog">View sources</Link>
            </Button>
          </>
        ) : null
      }
    />
  );
}

/** Why sources could not be read, above the skills that were read before. */
export function FailedSources({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  const failed = sources.filter(({ error }) => error !== null);
  if (failed.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={
        failed.length === 1
          ? "A source could not be read. Its skills may be out of date."
          : `${failed.length} sources could not be read. Their skills may be out of date.`
      }
    >
      <ul>
        {failed.slice(0, 3).map(({ id, label, error }) => (
          <li key={id}>
            <RevealedText text={label} />: {error}
          </li>
        ))}
        {failed.length > 3 ? <li>and {failed.length - 3} more</li> : null}
      </ul>
    </Notice>
  );
}
