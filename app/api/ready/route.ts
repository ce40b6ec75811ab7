import { getReadiness } from "@/lib/http/get-readiness";
import { jsonAnswer } from "@/lib/http/json-answer";
import { route } from "@/lib/http/route";
import { Readiness } from "@/lib/http/schema";

/** 503 with the check that fails, so that it can be told apart from no answer at all. */
export const GET = route({
  access: "public",
  agents: "open",
  summary: "Whether requests should be sent to this process now",
  answer: Readiness,
  handle: async ({ ctx }) => {
    const readiness = await getReadiness(ctx);
    const status = readiness.status === "ready" ? 200 : 503;
    return jsonAnswer(JSON.stringify(readiness), { status, headers: { "cache-control": "no-store" } });
  },
});
