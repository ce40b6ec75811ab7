import { z } from "zod";
import { eventStream } from "@/lib/http/event-stream";
import { route } from "@/lib/http/route";
import { requireRun } from "@/lib/runner/runs/load-runs";
import { streamEvents } from "@/lib/runner/runs/stream-events";

export const GET = route({
  access: "read",
  agents: "open",
  summary: "Log of a run as Server-Sent Events up to an `end` event; resumable by Last-Event-ID",
  params: z.object({ id: z.string() }),
  query: z.object({ after: z.coerce.number().int().min(0).optional() }),
  media: ["text/event-stream"],
  handle: async ({ ctx, params, query, request }) => {
    await requireRun(ctx, params.id);
    const lastId = Number.parseInt(request.headers.get("last-event-id") ?? "", 10);
    const after = Number.isNaN(lastId) ? (query.after ?? 0) : lastId;
    return eventStream(request.signal, (signal) => streamEvents(ctx, params.id, after, signal));
  },
});
