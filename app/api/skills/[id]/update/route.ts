import { z } from "zod";
import { UpdatePreview } from "@/lib/catalog/update/schema";
import { applyUpdate, previewUpdate } from "@/lib/catalog/update/upstream-updates";
import { route } from "@/lib/http/route";
import { Version } from "@/lib/skills/versions/schema";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  summary: "Preview the update of a catalog skill; stores nothing",
  params,
  answer: UpdatePreview,
  answersFrom: "rows",
  handle: ({ ctx, params }) => previewUpdate(ctx, params.id),
});

export const POST = route({
  access: "write",
  summary: "Import the update of a catalog skill as a pending version; the active version stays",
  params,
  answer: Version,
  status: 201,
  handle: ({ ctx, params }) => applyUpdate(ctx, params.id),
});
