"use client";

import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useEndReached } from "@/components/state/use-end-reached";
import { Button } from "@/components/ui/button";

type EndOfListProps = {
  query: Pick<
    UseInfiniteQueryResult,
    "hasNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error" | "fetchNextPage"
  >;
  endText: string;
};

export function EndOfList({ query, endText }: EndOfListProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query;
  const more = () => void query.fetchNextPage();
  const marker = useEndReached(more, hasNextPage && !isFetchingNextPage && !isFetchNextPageError);
  return (
    <div ref={marker} className="flex min-h-12 items-center justify-center py-2 text-13 text-muted-foreground">
      {isFetchNextPageError ? (
        <span role="alert" className="flex items-center gap-3">
          {errorText(query.error)}
          <Button size="sm" onClick={more}>
            Try again
          </Button>
        </span>
      ) : hasNextPage ? (
        <Button size="sm" variant="ghost" pending={isFetchingNextPage} onClick={more}>
          Load more
        </Button>
      ) : (
        endText
      )}
    </div>
  );
}
