import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataInfiniteOptions,
  type UndefinedInitialDataOptions,
} from "@tanstack/react-query";
import { api, type QueryParams, type Shape, withQuery } from "./api";

type Cursor = string | null;
type AnswerOptions<T, Key extends QueryKey, Shown> = Omit<
  UndefinedInitialDataOptions<T, Error, Shown, Key>,
  "queryKey" | "queryFn"
>;
type PagesOptions<T, Key extends QueryKey> = Omit<
  UndefinedInitialDataInfiniteOptions<T, Error, InfiniteData<T, Cursor>, Key, Cursor>,
  "queryKey" | "queryFn" | "initialPageParam" | "getNextPageParam"
>;

/** A TanStack query for one answer of the API. */
export function answerQuery<T, Key extends QueryKey, Shown = T>(
  queryKey: Key,
  path: string,
  shape: Shape<T>,
  options: AnswerOptions<T, Key, Shown> = {},
) {
  return queryOptions({ ...options, queryKey, queryFn: ({ signal }) => api(path, { shape, signal }) });
}

/** An infinite TanStack query for a paginated list of the API. */
export function pagesQuery<T extends { nextCursor: Cursor }, Key extends QueryKey>(
  queryKey: Key,
  path: string,
  params: QueryParams,
  shape: Shape<T>,
  options: PagesOptions<T, Key> = {},
) {
  return infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ pageParam, signal }) => api(withQuery(path, { ...params, cursor: pageParam }), { shape, signal }),
    initialPageParam: null as Cursor,
    getNextPageParam: (page) => page.nextCursor,
  });
}
