"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect } from "react";
import { Logo } from "@/components/shell/logo";
import { ThemeMenu } from "@/components/shell/theme-menu";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiBasics, ErrorCodes } from "./api-basics";
import { ApiNav } from "./api-nav";
import { groupOperations, type OpenApi, openApiQuery } from "./openapi";
import { OperationView } from "./operation-view";

/** The API, readable, from the server's own description of it. Open to everybody. */
export function ApiReference() {
  const query = useQuery(openApiQuery);
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-30 flex h-(--topbar-height) items-center gap-3 border-b bg-background px-4 md:px-6">
        <Link href="/skills" className="flex items-center gap-2.5 font-semibold tracking-tight">
          <Logo className="size-6" />
          Skillgate
        </Link>
        <span className="text-muted-foreground">API</span>
        {query.data ? <Badge className="tabular-nums">{query.data.info.version}</Badge> : null}
        <span className="ml-auto flex items-center gap-1">
          <Button variant="ghost" asChild>
            <a href="/api/openapi.json">OpenAPI</a>
          </Button>
          <ThemeMenu />
        </span>
      </header>
      <QueryState query={query} loading={<ReferenceSkeleton />} errorTitle="The API description could not be loaded.">
        {(document) => <Reference document={document} />}
      </QueryState>
    </div>
  );
}

function Reference({ document: description }: { document: OpenApi }) {
  const groups = groupOperations(description);
  const origin = description.servers[0]?.url ?? "";
  useEffect(() => {
    // The anchor of a problem's `type` exists only now.
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);
  return (
    <div className="mx-auto grid max-w-[1248px] gap-x-10 px-4 md:grid-cols-[12rem_minmax(0,1fr)] md:px-6">
      <aside className="sticky top-(--topbar-height) max-h-[calc(100dvh-var(--topbar-height))] self-start overflow-y-auto py-6 max-md:hidden">
        <ApiNav groups={groups} />
      </aside>
      <main id="content" tabIndex={-1} className="flex min-w-0 flex-col gap-12 py-8 focus:outline-none">
        <div>
          <h1>API reference</h1>
          <p className="mt-0.5 max-w-prose text-muted-foreground">
            Everything the pages do, programs can do too, by the same rules and in the same audit log.
          </p>
        </div>
        <ApiBasics origin={origin} />
        <ErrorCodes codes={description.components["x-error-codes"]} />
        {groups.map((group) => (
          <section
            key={group.id}
            id={group.id}
            aria-labelledby={`${group.id}-title`}
            className="flex scroll-mt-20 flex-col gap-6"
          >
            <h2 id={`${group.id}-title`}>{group.title}</h2>
            {group.operations.map((operation) => (
              <OperationView key={operation.id} operation={operation} origin={origin} />
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

function ReferenceSkeleton() {
  return (
    <div role="status" aria-busy="true" className="mx-auto flex max-w-[1248px] flex-col gap-6 px-4 py-8 md:px-6">
      <span className="sr-only">Loading the API description</span>
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-24" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
  );
}
