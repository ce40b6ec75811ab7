import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { exportSkill } from "@/lib/skills/export-skill";
import { ExportQuery } from "@/lib/skills/schema";

export const GET = route({
  access: "read",
  summary: "The stored bytes of a version: SKILL.md alone, or a zip",
  params: z.object({ id: z.string() }),
  query: ExportQuery,
  handle: async ({ ctx, params, query }) => {
    const { filename, contentType, bytes, digest } = await exportSkill(ctx, params.id, query.version);
    return download({ filename, contentType, bytes, etag: digest });
  },
});
