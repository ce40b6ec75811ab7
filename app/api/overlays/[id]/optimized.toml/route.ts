import { z } from "zod";
import { getOverlayToml } from "@/lib/agent/overlays/read-overlays";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "Download an overlay as optimized.toml",
  params: z.object({ id: z.string() }),
  media: ["text/plain"],
  async handle({ ctx, params }) {
    const headers = {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="optimized.toml"',
    };
    return new Response(await getOverlayToml(ctx, params.id), { headers });
  },
});
