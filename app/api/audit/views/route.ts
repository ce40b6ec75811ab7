import { SavedView, SavedViewList, SaveViewInput } from "@/lib/audit/schema";
import { listViews, saveView } from "@/lib/audit/views";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List your saved views of the audit log",
  answer: SavedViewList,
  answersFrom: "rows",
  handle: ({ ctx }) => listViews(ctx),
});

export const POST = route({
  access: "write",
  summary: "Save audit filters as a view",
  body: SaveViewInput,
  answer: SavedView,
  status: 201,
  handle: ({ ctx, body }) => saveView(ctx, body),
});
