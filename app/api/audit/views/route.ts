import { SavedView, SavedViewList, SaveViewInput } from "@/lib/audit/schema";
import { listViews, saveView } from "@/lib/audit/views";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "One’s own saved views of the audit",
  answer: SavedViewList,
  handle: ({ ctx }) => listViews(ctx),
});

export const POST = route({
  access: "write",
  summary: "Save filters of the audit under a name",
  body: SaveViewInput,
  answer: SavedView,
  status: 201,
  handle: ({ ctx, body }) => saveView(ctx, body),
});
