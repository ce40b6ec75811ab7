import { listOverlays } from "@/lib/agent/overlays/read-overlays";
import { ListOverlaysQuery, SkillOverlay } from "@/lib/agent/overlays/schema";
import { pageOf } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  access: "read",
  summary: "List overlays of all skills you may see, newest first",
  query: ListOverlaysQuery,
  answer: pageOf(SkillOverlay),
  answersFrom: "rows",
  handle: ({ ctx, query }) => listOverlays(ctx, query),
});
