import { z } from "zod";
import { download } from "@/lib/http/download";
import { route } from "@/lib/http/route";
import { exportSkill } from "@/lib/skills/transfer/export-skills";
import { ExportQuery } from "@/lib/skills/transfer/schema";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Export a version as SKILL.md or ZIP: the stored bytes, or the standard form for other agents",
  params: z.object({ id: z.string() }),
  query: ExportQuery,
  media: ["text/markdown", "application/zip"],
  handle: async ({ ctx, params, query }) => {
    const exported = await exportSkill(ctx, params.id, query);
    const response = download(exported);
    if (exported.withheld > 0) response.headers.set("skillgate-withheld-scripts", String(exported.withheld));
    return response;
  },
});
