"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useAddressHash } from "@/components/code/use-address-hash";
import { type Column, DataTable } from "@/components/lists/data-table";
import { Logo } from "@/components/shell/logo";
import { ThemeMenu } from "@/components/shell/theme-menu";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { SearchInput } from "@/components/ui/search-input";
import { Skeleton } from "@/components/ui/skeleton";
import { errorExplanations } from "./error-labels";
import {
  type ApiGroup,
  findOperations,
  groupOfAnchor,
  groupOperations,
  type OpenApi,
  operationsQuery,
  outlineQuery,
} from "./openapi";
import { OperationView, TextWithCode } from "./operation-view";

const basics = [
  { id: "authentication", title: "Authentication" },
  { id: "conventions", title: "Conventions" },
  { id: "errors", title: "Errors" },
];

/** The API reference, generated from the server's OpenAPI document. Needs no sign-in. */
export function ApiReference() {
  const query = useQuery(outlineQuery);
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

/** One group at a time, as the hash names it, so that a page of a thousand fields is neither loaded nor drawn at once. */
function Reference({ document: outline }: { document: OpenApi }) {
  const groups = useMemo(() => groupOperations(outline), [outline]);
  const origin = outline.servers[0]?.url ?? "";
  const [hash] = useAddressHash();
  const anchor = decodeHash(hash);
  const group = groupOfAnchor(groups, anchor);
  return (
    <div className="mx-auto grid max-w-[1248px] gap-x-10 px-4 md:grid-cols-[15rem_minmax(0,1fr)] md:px-6">
      <aside
        aria-label="Contents"
        className="self-start py-6 max-md:pb-0 md:sticky md:top-(--topbar-height) md:max-h-[calc(100dvh-var(--topbar-height))] md:overflow-y-auto"
      >
        <ApiNav groups={groups} group={group} anchor={anchor} />
      </aside>
      <main id="content" tabIndex={-1} className="flex min-w-0 flex-col gap-12 py-8 focus:outline-none">
        <div>
          <h1>API reference</h1>
          <p className="mt-0.5 max-w-prose text-muted-foreground">
            Programs can do everything that the pages do, with the same rules and the same audit log.
          </p>
        </div>
        {group === null ? (
          <>
            <ApiBasics origin={origin} />
            <ErrorCodes codes={outline.components["x-error-codes"]} />
            <ScrollTo anchor={anchor} />
          </>
        ) : (
          <Group key={group.id} group={group} origin={origin} anchor={anchor} />
        )}
      </main>
    </div>
  );
}

function Group({ group: { id, title, description }, origin, anchor }: GroupProps) {
  const query = useQuery(operationsQuery(id));
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="flex scroll-mt-20 flex-col gap-6">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="text-13 text-muted-foreground">{description}</p>
      </div>
      <QueryState query={query} errorTitle="This part of the API description could not be loaded." skeletonRows={8}>
        {(part) => (
          <>
            {groupOperations(part).flatMap(({ operations }) =>
              operations.map((operation) => <OperationView key={operation.id} operation={operation} origin={origin} />),
            )}
            <ScrollTo anchor={anchor} />
          </>
        )}
      </QueryState>
    </section>
  );
}

type GroupProps = { group: ApiGroup; origin: string; anchor: string };

/** Scrolls to what the hash names, once it is there. */
function ScrollTo({ anchor }: { anchor: string }) {
  useEffect(() => {
    if (anchor === "") return;
    document.getElementById(anchor)?.scrollIntoView();
  }, [anchor]);
  return null;
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
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

type ApiNavProps = { groups: readonly ApiGroup[]; group: ApiGroup | null; anchor: string };

function ApiNav({ groups, group, anchor }: ApiNavProps) {
  const [typed, setTyped] = useState("");
  const found = typed.trim() === "" ? null : findOperations(groups, typed);
  return (
    <nav aria-label="Parts of the reference" className="flex flex-col gap-4 text-13">
      <SearchInput
        label="Find an operation"
        value={typed}
        maxLength={100}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === "Escape" && setTyped("")}
      />
      {found ? (
        <div>
          <p role="status" className="px-2 pb-1 text-muted-foreground text-xs">
            {found.length === 0 ? `No operation matches “${typed.trim()}”` : `${found.length} found`}
          </p>
          <ul className="flex flex-col">
            {found.slice(0, 30).map(({ id, summary, method, path }) => (
              <NavItem key={id} id={id} isCurrent={id === anchor} title={summary} note={`${method} ${path}`} />
            ))}
          </ul>
        </div>
      ) : (
        <>
          <ul className="flex flex-col max-md:hidden">
            {basics.map(({ id, title }) => (
              <NavItem key={id} id={id} title={title} isCurrent={id === anchor} />
            ))}
          </ul>
          <ul className="flex flex-col border-t pt-4 max-md:flex-row max-md:flex-wrap max-md:border-t-0 max-md:pt-0">
            {groups.map(({ id, title, operations }) => (
              <NavItem key={id} id={id} title={title} count={operations.length} isCurrent={id === group?.id}>
                {id === group?.id ? (
                  <ul className="mb-2 ml-2 flex flex-col border-l pl-1 max-md:hidden">
                    {operations.map((operation) => (
                      <NavItem
                        key={operation.id}
                        id={operation.id}
                        title={operation.summary}
                        isCurrent={operation.id === anchor}
                      />
                    ))}
                  </ul>
                ) : null}
              </NavItem>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

type NavItemProps = {
  id: string;
  title: string;
  isCurrent: boolean;
  count?: number;
  note?: string;
  children?: ReactNode;
};

function NavItem({ id, title, isCurrent, count, note, children }: NavItemProps) {
  return (
    <li>
      <a
        href={`#${id}`}
        aria-current={isCurrent ? "true" : undefined}
        className="flex min-h-7 items-baseline justify-between gap-2 rounded-md px-2 py-1 text-muted-foreground hover:bg-accent hover:text-foreground aria-[current=true]:bg-accent aria-[current=true]:font-medium aria-[current=true]:text-foreground"
      >
        <span className="min-w-0">
          <TextWithCode text={title} />
          {note ? <span className="block break-all font-mono text-xs">{note}</span> : null}
        </span>
        {count === undefined ? null : <span className="text-xs tabular-nums">{count}</span>}
      </a>
      {children}
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
          language="sh"
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
    cellClassName: "align-baseline font-mono text-xs max-md:py-2 md:whitespace-nowrap",
    cell: ({ code, status }) => (
      <>
        <a href={`#${code}`} className="hover:underline">
          {code}
        </a>
        <span className="md:hidden">
          {" "}
          {status}
          <span className="block pt-0.5 font-sans text-13">
            <TextWithCode text={errorExplanations[code] ?? ""} />
          </span>
        </span>
      </>
    ),
  },
  {
    header: "Status",
    numeric: true,
    className: "max-md:hidden",
    cellClassName: "align-baseline",
    cell: ({ status }) => status,
  },
  {
    header: "Meaning",
    className: "max-md:hidden",
    cellClassName: "align-baseline",
    cell: ({ code }) => <TextWithCode text={errorExplanations[code] ?? ""} />,
  },
];
