import { route } from "@/lib/http/route";
import { listPublishers } from "@/lib/skills/community/publisher-profiles";
import { ListPublishersQuery, PublisherPage } from "@/lib/skills/community/schema";

export const GET = route({
  access: "read",
  summary: "List publishers with skills that you may see, by handle",
  query: ListPublishersQuery,
  answer: PublisherPage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listPublishers(ctx, query),
});
