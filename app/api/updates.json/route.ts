import { route } from "@/lib/http/route";
import { ListUpdatesQuery, UpdatePage } from "@/lib/skills/community/schema";
import { listUpdates } from "@/lib/skills/community/updates";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Approved versions of skills you may see, newest approval first; public ones when signed out",
  query: ListUpdatesQuery,
  answer: UpdatePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listUpdates(ctx, query),
});
