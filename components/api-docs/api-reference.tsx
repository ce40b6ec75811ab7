"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect } from "react";
import { type Column, DataTable } from "@/components/lists/data-table";
import { Logo } from "@/components/shell/logo";
import { ThemeMenu } from "@/components/shell/theme-menu";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { errorExplanations } from "./error-labels";
import { type ApiGroup, groupOperations, type OpenApi, openApiQuery } from "./openapi";
import { OperationView } from "./operation-view";
import { TextWithCode } from "./text-with-code";

const basics = [
  { id: "authentication", title: "Authentication" },
  { id: "conventions", title: "Conventions" },
  { id: "errors", title: "Errors" },
];

/** The API reference, generated from the server's OpenAPI document. Needs no sign-in. */
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
    // The anchors exist only after the document is loaded.
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
            Programs can do everything that the pages do, with the same rules and the same audit log.
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

function ApiNav({ groups }: { groups: readonly ApiGroup[] }) {
  return (
    <nav aria-label="On this page" className="flex flex-col gap-4 text-13">
      <ul className="flex flex-col">
        {basics.map((entry) => (
          <NavItem key={entry.id} {...entry} />
        ))}
      </ul>
      <ul className="flex flex-col border-t pt-4">
        {groups.map(({ id, title, operations }) => (
          <NavItem key={id} id={id} title={title} count={operations.length} />
        ))}
      </ul>
    </nav>
  );
}

function NavItem({ id, title, count }: { id: string; title: string; count?: number }) {
  return (
    <li>
      <a
        href={`#${id}`}
        className="flex min-h-7 items-center justify-between rounded-md px-2 text-muted-foreground hover:bg-accent hover:text-foreground"
      >
        {title}
        {count === undefined ? null : <span className="text-xs tabular-nums">{count}</span>}
      </a>
    </li>
  );
}

function ApiBasics({ origin }: { origin: string }) {
  return (
    <>
      <section id="authentication" aria-labelledby="authentication-title" className="flex scroll-mt-20 flex-col gap-4">
        <h2 id="authentication-title">Authentication</h2>
        <div className="prose max-w-prose">
          <p>
            Programs send a bearer token. Create one under <a href="/settings/tokens">Settings, API tokens</a>. It is
            shown once and never has more rights than its owner. Agents use tokens with a persona; tokens of workers
            start with <code>sgw_</code>.
          </p>
        </div>
        <CodeBlock
          code={`export SKILLGATE_TOKEN='sgt_…'\ncurl -sS -H "Authorization: Bearer $SKILLGATE_TOKEN" '${origin}/api/me'`}
          label="Check your token"
        />
        <div className="prose max-w-prose">
          <p>
            Pages use the session cookie. Writes with the cookie must come from a page of this server; writes with a
            bearer token may come from anywhere.
          </p>
        </div>
      </section>
      <section id="conventions" aria-labelledby="conventions-title" className="flex scroll-mt-20 flex-col gap-4">
        <h2 id="conventions-title">Conventions</h2>
        <div className="prose max-w-prose">
          <ul>
            <li>JSON in and out, keys in camelCase, times in UTC as ISO 8601. Ids are opaque.</li>
            <li>
              Lists take <code>limit</code> (1 to 100) and <code>cursor</code>, and answer{" "}
              <code>{"{items, nextCursor}"}</code>. Cursors stay valid when items are added.
            </li>
            <li>
              Requests that start runs or import skills take an <code>Idempotency-Key</code>: the same key with the same
              body returns the first answer.
            </li>
            <li>
              Every GET of a single object has an <code>ETag</code> and supports <code>If-None-Match</code>. Writes that
              can collide take <code>If-Match</code>.
            </li>
            <li>
              Each answer carries <code>X-Request-Id</code>. Include it when you report an error.
            </li>
          </ul>
        </div>
      </section>
    </>
  );
}

/** Error codes; the `type` of a problem links here by anchor. */
function ErrorCodes({ codes }: { codes: Readonly<Record<string, number>> }) {
  return (
    <section id="errors" aria-labelledby="errors-title" className="flex scroll-mt-20 flex-col gap-4">
      <h2 id="errors-title">Errors</h2>
      <div className="prose max-w-prose">
        <p>
          A refused request answers <code>application/problem+json</code> with <code>type</code>, <code>title</code>,{" "}
          <code>status</code>, <code>code</code>, <code>detail</code>, <code>requestId</code> and, for wrong fields,{" "}
          <code>errors</code> with a dotted <code>path</code> and a <code>message</code> each. Rely on <code>code</code>
          .
        </p>
      </div>
      <div className="overflow-hidden rounded-md border">
        <DataTable
          label="Error codes"
          rows={Object.entries(codes).map(([code, status]) => ({ code, status }))}
          rowId={({ code }) => code}
          columns={codeColumns}
          rowProps={({ code }) => ({ id: code, className: "scroll-mt-20 target:bg-selected" })}
        />
      </div>
    </section>
  );
}

const codeColumns: readonly Column<{ code: string; status: number }>[] = [
  {
    header: "Code",
    cellClassName: "whitespace-nowrap align-baseline font-mono text-xs",
    cell: ({ code }) => (
      <a href={`#${code}`} className="hover:underline">
        {code}
      </a>
    ),
  },
  {
    header: "Status",
    numeric: true,
    cellClassName: "align-baseline",
    cell: ({ status }) => status,
  },
  {
    header: "Meaning",
    cellClassName: "align-baseline",
    cell: ({ code }) => <TextWithCode text={errorExplanations[code] ?? ""} />,
  },
];
