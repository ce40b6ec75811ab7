import { JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { detachClients, handleMcp } from "@/lib/agent/mcp/handle-mcp";
import { getEnv } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import { assertOwnOrigin, challenging } from "@/lib/http/mcp-endpoint";
import { route } from "@/lib/http/route";
import { shutdownSignal } from "@/lib/http/shutdown";

type Given = { ctx: Parameters<typeof handleMcp>[0]; request: Request; bytes: Uint8Array };

function handle({ ctx, request, bytes }: Given): Promise<Response> {
  const { publicUrl, HOST } = getEnv();
  assertOwnOrigin(request, publicUrl, HOST);
  // Its streams would delay the stop of the process.
  processStore("mcp-leaving", () => {
    shutdownSignal().addEventListener("abort", () => void detachClients());
    return true;
  });
  return handleMcp(ctx, { request, bytes });
}

export const POST = challenging(
  route({
    access: "read",
    agents: "open",
    summary: "Model Context Protocol: messages of a client",
    rawBody: { contentType: "application/json", schema: JSONRPCMessageSchema },
    media: ["text/event-stream"],
    also: { 202: { description: "Accepted: a notification or response of the client", answer: null } },
    handle,
  }),
);

export const GET = challenging(
  route({
    access: "read",
    agents: "open",
    summary: "Model Context Protocol: the stream of notifications",
    media: ["text/event-stream"],
    handle,
  }),
);

export const DELETE = challenging(
  route({
    access: "read",
    agents: "open",
    summary: "Model Context Protocol: the client ends its session",
    status: 200,
    handle,
  }),
);
