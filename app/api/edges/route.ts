import { route } from "@/lib/http/route";
import { listEdges } from "@/lib/runner/edges";
import { EdgePage, ListEdgesQuery } from "@/lib/runner/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Workers that can run skills of scope host, online ones first",
  query: ListEdgesQuery,
  answer: EdgePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listEdges(ctx, query),
});
