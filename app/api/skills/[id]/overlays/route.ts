import { z } from "zod";
import { listOverlays } from "@/lib/agent/overlays/read-overlays";
import { ListOverlaysQuery, SkillOverlay, SubmitOverlayInput } from "@/lib/agent/overlays/schema";
import { submitOverlay } from "@/lib/agent/overlays/submit-overlay";
import { pageOf } from "@/lib/core/schema";
import { route } from "@/lib/http/route";

const params = z.object({ id: z.string() });

export const GET = route({
  access: "read",
  summary: "List overlays of a skill, newest first",
  params,
  query: ListOverlaysQuery,
  answer: pageOf(SkillOverlay),
  answersFrom: "rows",
  handle: ({ ctx, params, query }) => listOverlays(ctx, query, params.id),
});

export const POST = route({
  access: "write",
  summary: "Submit an optimized.toml as overlay; a reviewer decides",
  params,
  body: SubmitOverlayInput,
  answer: SkillOverlay,
  status: 201,
  handle: ({ ctx, params, body }) => submitOverlay(ctx, params.id, body),
});
