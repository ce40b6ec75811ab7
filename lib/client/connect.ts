import type { Connection, ConnectQuery } from "@/lib/distribution/schema";
import { answerOf, listOf, withQuery } from "./api";
import { answerQuery } from "./queries";

/** Polled while the page is open, so that new clients appear. */
const REFRESH_MS = 5_000;

export type ClientActivity = { door: string; client: string; mine: boolean; lastSeenAt: string };

export const connectionQuery = (target: ConnectQuery) =>
  answerQuery(["connect", target], withQuery("/api/connect", target), answerOf<Connection>(), { staleTime: 60_000 });

/** Last calls of clients by distribution endpoint. */
export const clientActivityQuery = answerQuery(
  ["client-activity"],
  "/api/distribution/client-activity",
  listOf<{ items: ClientActivity[] }>(),
  {
    refetchInterval: REFRESH_MS,
  },
);
