import { queryOptions } from "@tanstack/react-query";
import { type PatchPublisherInput, Publisher } from "@/lib/skills/community/schema";
import { api } from "./api";

export type { Publisher };

export const publishersKey = ["publishers"] as const;

export const publisherQuery = (handle: string) =>
  queryOptions({
    queryKey: [...publishersKey, handle],
    queryFn: ({ signal }) => api(publisherPath(handle), { schema: Publisher, signal }),
    staleTime: 10_000,
  });

export function patchPublisher(handle: string, input: PatchPublisherInput): Promise<Publisher> {
  return api(publisherPath(handle), { method: "PATCH", body: input, schema: Publisher });
}

export function verifyPublisher(handle: string, verified: boolean): Promise<Publisher> {
  return api(`${publisherPath(handle)}/verification`, { method: verified ? "PUT" : "DELETE", schema: Publisher });
}

function publisherPath(handle: string): string {
  return `/api/publishers/${encodeURIComponent(handle)}`;
}
