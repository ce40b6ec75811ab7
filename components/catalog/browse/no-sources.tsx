"use client";

import { Library } from "lucide-react";
import Link from "next/link";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { CatalogSourceStatus } from "@/lib/catalog/schema";

/** The catalog before it holds anything: who can fill it, and how. */
export function NoSources({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  const isAdmin = useMe()?.user.role === "admin";
  const hasSources = sources.length > 0;
  const isWaiting = sources.some(({ syncedAt, error }) => syncedAt === null && error === null);
  const action = (
    <Button asChild variant={hasSources ? "secondary" : "primary"}>
      <Link href={hasSources ? "/settings/catalog" : "/settings/catalog?add=1"}>
        {hasSources ? "See the sources" : "Add a source"}
      </Link>
    </Button>
  );
  return (
    <EmptyState
      icon={Library}
      title={hasSources ? "The sources hold no skills yet" : "No source yet"}
      description={
        isWaiting
          ? "The first sync is on its way. Skills appear here as soon as it is done."
          : hasSources
            ? "None of the repositories that are offered holds a folder with a SKILL.md."
            : isAdmin
              ? "The catalog shows the skills of GitHub repositories that you choose. Everybody can then read them, and install them for review."
              : "The catalog shows the skills of repositories that an admin has chosen. Ask an admin of this server to add one."
      }
      action={isAdmin ? action : null}
    />
  );
}
