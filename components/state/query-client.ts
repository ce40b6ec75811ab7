import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/lib/client/api";

const maxRetries = 2;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < maxRetries && isTransient(error),
        // The browser may report "offline" although the server is reachable on a local network.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
