import { getEnv } from "@/lib/core/env";
import { sha256Hex } from "@/lib/core/hash";
import { route } from "@/lib/http/route";
import { getSettings } from "@/lib/settings/settings";
import { ListUpdatesQuery } from "@/lib/skills/community/schema";
import { listUpdates, writeAtom } from "@/lib/skills/community/updates";

export const GET = route({
  access: "public",
  agents: "open",
  summary: "Approved versions as an Atom feed",
  query: ListUpdatesQuery,
  media: ["application/atom+xml"],
  handle: async ({ ctx, query, request }) => {
    const page = await listUpdates(ctx, query);
    const { instanceName } = await getSettings(ctx);
    const title = `${instanceName}: approved skills`;
    const feed = writeAtom({ title, publicUrl: getEnv().publicUrl, page, cursor: query.cursor });
    const etag = `"${sha256Hex(feed).slice(0, 32)}"`;
    const headers = { "content-type": "application/atom+xml; charset=utf-8", etag };
    const known = (request.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
    return known.includes(etag) ? new Response(null, { status: 304, headers }) : new Response(feed, { headers });
  },
});
