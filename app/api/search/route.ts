import { SearchAnswer, SearchQuery, serveSearch } from "@/lib/distribution/serve-search";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "public",
  agents: "open",
  limits: "distribution",
  summary: "Find skills to install; used by `npx skills find`",
  query: SearchQuery,
  answer: SearchAnswer,
  handle: ({ ctx, query, request }) => serveSearch(ctx, { request, query }),
});
