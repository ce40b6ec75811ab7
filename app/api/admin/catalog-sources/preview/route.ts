import { previewSource } from "@/lib/catalog/sources/preview-source";
import { PreviewSourceInput, SourcePreview } from "@/lib/catalog/sources/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "admin",
  summary: "Preview the skills of a repository as a catalog source; stores nothing",
  body: PreviewSourceInput,
  answer: SourcePreview,
  handle: ({ ctx, body }) => previewSource(ctx, body),
});
