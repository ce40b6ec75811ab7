import { listUpdates } from "@/lib/catalog/update/list-updates";
import { BulkUpdateAnswer, BulkUpdateInput, UpdatePage } from "@/lib/catalog/update/schema";
import { applyUpdates } from "@/lib/catalog/update/upstream-updates";
import { PageQuery } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List installed skills that changed or were removed upstream, newest change first",
  query: PageQuery,
  answer: UpdatePage,
  answersFrom: "rows",
  handle: ({ ctx, query }) => listUpdates(ctx, query),
});

export const POST = route({
  access: "write",
  summary: "Import several updates, each as a pending version",
  body: BulkUpdateInput,
  answer: BulkUpdateAnswer,
  handle: ({ ctx, body }) => applyUpdates(ctx, body),
});
