import { previewSource } from "@/lib/catalog/sources/preview-source";
import { PreviewSourceInput, SourcePreview } from "@/lib/catalog/sources/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "admin",
  summary: "What a repository would offer as a catalog source; nothing is stored",
  body: PreviewSourceInput,
  answer: SourcePreview,
  handle: ({ ctx, body }) => previewSource(ctx, body),
});
