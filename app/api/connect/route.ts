import { getConnection } from "@/lib/distribution/connection";
import { Connection, ConnectQuery } from "@/lib/distribution/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "What the commands are made of with which clients reach this server",
  query: ConnectQuery,
  answer: Connection,
  handle: ({ ctx, query }) => getConnection(ctx, query),
});
