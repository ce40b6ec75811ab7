import { route } from "@/lib/http/route";
import { listPublishers } from "@/lib/skills/publishers/list-publishers";
import { ListPublishersQuery, PublisherPage } from "@/lib/skills/publishers/schema";

export const GET = route({
  access: "read",
  summary: "Publishers of whom the caller sees a skill, by handle",
  query: ListPublishersQuery,
  answer: PublisherPage,
  handle: ({ ctx, query }) => listPublishers(ctx, query),
});
