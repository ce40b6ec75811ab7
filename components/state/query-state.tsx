"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import { SkeletonRows } from "@/components/ui/skeleton";
import { errorText } from "./describe-error";

type QueryStateProps<T> = {
  /** Infinite queries too. */
  query: Pick<UseQueryResult<T, Error>, "data" | "error"> & { refetch: () => unknown };
  children: (data: T) => ReactNode;
  /** Placeholder rows while loading; `loading` replaces them. */
  skeletonRows?: number | undefined;
  loading?: ReactNode;
  /** Shown instead of an empty list, with `isEmpty`. */
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  /** "The runs could not be loaded." */
  errorTitle?: string;
};

/** Shows loading, error, empty or data. Data stays visible with a notice when a refresh fails. */
export function QueryState<T>({
  query,
  children,
  skeletonRows,
  loading = <SkeletonRows {...(skeletonRows ? { rows: skeletonRows } : {})} />,
  empty,
  isEmpty,
  errorTitle,
}: QueryStateProps<T>) {
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    if (query.error)
      return <ErrorState error={query.error} {...(errorTitle ? { title: errorTitle } : {})} onRetry={retry} />;
    return loading;
  }
  const content = empty !== undefined && isEmpty?.(query.data) ? empty : children(query.data);
  if (!query.error) return content;
  return (
    <>
      <Notice
        tone="warning"
        announce
        className="mb-3"
        action={
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        }
      >
        This may be out of date. {errorText(query.error)}
      </Notice>
      {content}
    </>
  );
}
