import { z } from "zod";
import { Connection, type ConnectQuery } from "@/lib/distribution/schema";
import { withQuery } from "./api";
import { answerQuery } from "./queries";

/** Polled while the page is open, so that new clients appear. */
const REFRESH_MS = 5_000;

const ClientActivityList = z.object({
  items: z.array(z.object({ door: z.string(), client: z.string(), mine: z.boolean(), lastSeenAt: z.string() })),
});
export type ClientActivity = z.infer<typeof ClientActivityList>["items"][number];

export const connectionQuery = (target: ConnectQuery) =>
  answerQuery(["connect", target], withQuery("/api/connect", target), Connection, { staleTime: 60_000 });

/** Last calls of clients by distribution endpoint. */
export const clientActivityQuery = answerQuery(
  ["client-activity"],
  "/api/distribution/client-activity",
  ClientActivityList,
  {
    refetchInterval: REFRESH_MS,
  },
);
