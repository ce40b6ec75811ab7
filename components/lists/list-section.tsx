"use client";

import type { InfiniteData } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { EndOfList } from "./end-of-list";

type Items<Item> = { items: readonly Item[] };
type Answer<Item> = Items<Item> | InfiniteData<Items<Item>>;

type ListQuery<Item> = { data: Answer<Item> | undefined; error: Error | null; refetch: () => unknown } & Partial<
  ComponentProps<typeof EndOfList>["query"]
>;

type ListProps<Item> = {
  query: ListQuery<Item>;
  errorTitle: string;
  empty?: ReactNode;
  skeletonRows?: number | undefined;
  /** For paged lists, shown after the last page: "End of list". */
  endText?: string | undefined;
};

export function itemsOf<Item>(data: Answer<Item> | undefined): readonly Item[] {
  if (data === undefined) return [];
  return "pages" in data ? data.pages.flatMap((page) => page.items) : data.items;
}

export function List<Item>({
  query,
  errorTitle,
  empty,
  skeletonRows,
  endText,
  children,
}: ListProps<Item> & { children: (items: readonly Item[]) => ReactNode }) {
  return (
    <QueryState
      query={query}
      errorTitle={errorTitle}
      skeletonRows={skeletonRows}
      isEmpty={(data) => itemsOf(data).length === 0}
      empty={empty}
    >
      {(data) =>
        endText === undefined ? (
          children(itemsOf(data))
        ) : (
          <div>
            {children(itemsOf(data))}
            <EndOfList query={query as ComponentProps<typeof EndOfList>["query"]} endText={endText} />
          </div>
        )
      }
    </QueryState>
  );
}

type ListSectionProps<Item> = Omit<ListProps<Item>, "empty"> & {
  title: string;
  description: ReactNode;
  actions?: ReactNode;
  as?: "section" | "page";
  /** The empty state. `withCreate` moves the create button there. */
  empty?: string | (ComponentProps<typeof EmptyState> & { withCreate?: boolean });
  create?: ReactNode;
  createVariant?: "primary" | "secondary";
  /** Content of the dialog that creates (null) or edits an item. */
  dialog?: (item: Item | null, close: () => void) => ReactNode;
  children: (items: readonly Item[], edit: (item: Item) => void) => ReactNode;
};

export function ListSection<Item>({
  title,
  description,
  actions,
  as = "section",
  empty,
  create,
  createVariant = "primary",
  dialog,
  children,
  ...list
}: ListSectionProps<Item>) {
  const [open, setOpen] = useState<{ item: Item | null } | null>(null);
  const close = () => setOpen(null);
  const add = create ? (
    <Button variant={createVariant} onClick={() => setOpen({ item: null })}>
      {create}
    </Button>
  ) : null;
  const { withCreate = false, ...words } = typeof empty === "object" ? empty : { title: "" };
  const isEmpty = list.query.data !== undefined && itemsOf(list.query.data).length === 0;
  const Frame = as === "page" ? Page : Section;
  return (
    <Frame title={title} description={description} actions={actions ?? (withCreate && isEmpty ? null : add)}>
      <List
        {...list}
        empty={
          typeof empty === "object" ? (
            <EmptyState {...words} {...(withCreate ? { action: add } : {})} />
          ) : empty === undefined ? undefined : (
            <p className="py-2 text-13 text-muted-foreground">{empty}</p>
          )
        }
      >
        {(items) => children(items, (item) => setOpen({ item }))}
      </List>
      <Dialog open={open !== null} onOpenChange={(next) => !next && close()}>
        {open ? dialog?.(open.item, close) : null}
      </Dialog>
    </Frame>
  );
}
