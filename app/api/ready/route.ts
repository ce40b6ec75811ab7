import { getReadiness } from "@/lib/http/health";
import { jsonAnswer } from "@/lib/http/json-answer";
import { route } from "@/lib/http/route";
import { Readiness } from "@/lib/http/schema";

/** 503 includes the failing check, which distinguishes it from no response. */
export const GET = route({
  access: "public",
  agents: "open",
  summary: "Whether this process is ready for requests",
  answer: Readiness,
  handle: async ({ ctx }) => {
    const readiness = await getReadiness(ctx);
    const status = readiness.status === "ready" ? 200 : 503;
    return jsonAnswer(JSON.stringify(readiness), { status, headers: { "cache-control": "no-store" } });
  },
});
