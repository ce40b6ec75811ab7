import { route } from "@/lib/http/route";
import { ListUpdatesQuery, UpdatePage } from "@/lib/skills/community/schema";
import { listUpdates } from "@/lib/skills/community/updates";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Approved versions of what the caller sees, the newest approval first; of public skills without signing in",
  query: ListUpdatesQuery,
  answer: UpdatePage,
  handle: ({ ctx, query }) => listUpdates(ctx, query),
});
