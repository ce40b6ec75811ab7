import { SavedView, UpdateViewInput } from "@/lib/audit/schema";
import { deleteView, updateView } from "@/lib/audit/views";
import { IdParams } from "@/lib/auth/schema";
import { route } from "@/lib/http/route";

export const PATCH = route({
  access: "write",
  summary: "Rename a saved view, change its filters, or make it the default",
  params: IdParams,
  body: UpdateViewInput,
  answer: SavedView,
  handle: ({ ctx, params, body }) => updateView(ctx, params.id, body),
});

export const DELETE = route({
  access: "write",
  summary: "Delete a saved view",
  params: IdParams,
  status: 204,
  handle: ({ ctx, params }) => deleteView(ctx, params.id),
});
