import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/lib/client/api";

const maxRetries = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isTransient(error),
        // The server may be on a network that the browser takes for being offline.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Only faults that may be gone the next time are worth another try. */
function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
