import { route } from "@/lib/http/route";
import { listUpdates } from "@/lib/skills/updates/list-updates";
import { ListUpdatesQuery, UpdatePage } from "@/lib/skills/updates/schema";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Approved versions of what the caller sees, the newest approval first; of public skills without signing in",
  query: ListUpdatesQuery,
  answer: UpdatePage,
  handle: ({ ctx, query }) => listUpdates(ctx, query),
});
