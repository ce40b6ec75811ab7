import { route } from "@/lib/http/route";
import { listDecided } from "@/lib/review/list-decided";
import { DecidedPage, ListDecidedQuery } from "@/lib/review/schema";

export const GET = route({
  access: "read",
  summary: "List decisions on versions, newest first: yours to see, by decision and person",
  query: ListDecidedQuery,
  answer: DecidedPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listDecided(ctx, query),
});
