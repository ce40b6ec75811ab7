import { SourceParams, SyncAnswer } from "@/lib/catalog/sources/schema";
import { syncSource } from "@/lib/catalog/sources/sources";
import { route } from "@/lib/http/route";

export const POST = route({
  access: "admin",
  summary: "Sync a catalog source now; the source shows the progress",
  params: SourceParams,
  answer: SyncAnswer,
  status: 202,
  handle: ({ ctx, params }) => syncSource(ctx, params.id),
});
