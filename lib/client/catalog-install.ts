import { queryOptions } from "@tanstack/react-query";
import { InstallAnswer, type InstallInput, InstallProgress } from "@/lib/catalog/install/schema";
import { api } from "./api";

const pollMs = 400;

export function installFromCatalog(input: InstallInput & { progressId: string }): Promise<InstallAnswer> {
  return api("/api/catalog/install", {
    method: "POST",
    body: input,
    // The same install asked for again after a lost answer gives the first answer.
    headers: { "idempotency-key": input.progressId },
    schema: InstallAnswer,
  });
}

/** How far an install is, while it runs. */
export const installProgressQuery = (progressId: string) =>
  queryOptions({
    queryKey: ["catalog-install", progressId],
    queryFn: ({ signal }) => api(`/api/catalog/install/${progressId}`, { schema: InstallProgress, signal }),
    refetchInterval: pollMs,
    gcTime: 0,
    retry: false,
  });

/** A version 4 UUID. Not `crypto.randomUUID`: it is absent on plain http from another machine. */
export function newProgressId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  });
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(""))
    .join("-");
}
