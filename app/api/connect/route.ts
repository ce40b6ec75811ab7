import { getConnection } from "@/lib/distribution/connection";
import { Connection, ConnectQuery } from "@/lib/distribution/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Values for the commands that connect clients to this server",
  query: ConnectQuery,
  answer: Connection,
  answersFrom: "rows",
  handle: ({ ctx, query }) => getConnection(ctx, query),
});
