import { timingSafeEqual } from "node:crypto";
import { getEnv } from "@/lib/core/env";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { createRequestCtx } from "@/lib/http/admit-request";
import { collectMetrics } from "@/lib/http/collect-metrics";
import { type RouteHandler, route } from "@/lib/http/route";

const forAdmins = route({
  access: "admin",
  summary: "Metrics of this process and of the instance, for Prometheus",
  media: ["text/plain"],
  handle: ({ ctx }) => answer(ctx),
});

/** For admins, and for a scraper with `SKILLGATE_METRICS_TOKEN`, which grants nothing else. */
const read = async (...[request, context]: Parameters<RouteHandler>): Promise<Response> =>
  isScraper(request)
    ? answer(await createRequestCtx(request, request.headers.get("x-request-id") ?? newId()))
    : forAdmins(request, context);
export const GET = Object.assign(read, { definition: forAdmins.definition });

function isScraper(request: Request): boolean {
  const token = getEnv().SKILLGATE_METRICS_TOKEN;
  const given = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined || given === undefined) return false;
  return timingSafeEqual(Buffer.from(sha256Hex(given)), Buffer.from(sha256Hex(token)));
}

async function answer(ctx: Awaited<ReturnType<typeof createRequestCtx>>): Promise<Response> {
  const { contentType, text } = await collectMetrics({ ...ctx, actor: { kind: "system", name: "Metrics" } });
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
}
