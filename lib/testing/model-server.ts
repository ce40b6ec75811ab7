import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request to a model, in a common form of both protocols. */
export type ModelRequest = {
  kind: "openai" | "anthropic";
  model: string;
  system: string;
  messages: { role: string; content: unknown }[];
  /** Last message: the person's text, or results of tool calls. */
  last: string;
  tools: string[];
  key: string | null;
};

export type ModelReply =
  | { text: string; calls?: { name: string; args: unknown }[] }
  | { calls: { name: string; args: unknown }[]; text?: string }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { raw: string }
  | { hang: true };

/** Starts a scripted model server with the protocols of OpenAI's chat completions and Anthropic's messages. */
export async function startModelServer(script: (request: ModelRequest) => ModelReply) {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request)) as Record<string, unknown>;
    const kind = request.url?.endsWith("/messages") ? "anthropic" : "openai";
    const asked = readRequest(kind, body, request);
    requests.push(asked);
    answer(response, kind, body.stream === true, script(asked));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

function readRequest(
  kind: ModelRequest["kind"],
  body: Record<string, unknown>,
  request: IncomingMessage,
): ModelRequest {
  const all = (body.messages ?? []) as { role: string; content: unknown }[];
  const system =
    kind === "anthropic"
      ? textOf(body.system)
      : all
          .filter(({ role }) => role === "system")
          .map(({ content }) => textOf(content))
          .join("\n");
  const tools = ((body.tools ?? []) as { name?: string; function?: { name: string } }[]).map(
    (tool) => tool.function?.name ?? tool.name ?? "",
  );
  const { authorization, "x-api-key": apiKey } = request.headers;
  return {
    kind,
    model: String(body.model),
    system,
    messages: all.filter(({ role }) => role !== "system"),
    last: textOf(all.at(-1)?.content),
    tools,
    key: authorization?.replace(/^Bearer /, "") ?? (typeof apiKey === "string" ? apiKey : null),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string; content?: unknown }) => part.text ?? textOf(part.content)).join("\n");
}

function answer(response: ServerResponse, kind: ModelRequest["kind"], isStream: boolean, reply: ModelReply): void {
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    return void response.end(reply.body ?? "{}");
  }
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  if ("hang" in reply) return void response.write(isStream ? ": waiting\n\n" : " ");
  if ("raw" in reply) return void response.end(reply.raw);
  const said = { text: reply.text ?? "", calls: reply.calls ?? [] };
  const write = kind === "openai" ? writeOpenAi : writeAnthropic;
  response.end(write(said, isStream));
}

type Said = { text: string; calls: { name: string; args: unknown }[] };

function writeOpenAi({ text, calls }: Said, isStream: boolean): string {
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const said = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
  const base = { id: "c1", created: 1, model: "scripted" };
  if (!isStream) {
    return JSON.stringify({
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message: said, finish_reason }],
      usage,
    });
  }
  const chunks = [
    { choices: [{ index: 0, delta: said, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...chunk })}\n\n`).join("")}data: [DONE]\n\n`;
}

function writeAnthropic({ text, calls }: Said, isStream: boolean): string {
  const content = [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ name, args }, index) => ({ type: "tool_use", id: `toolu_${index}`, name, input: args })),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: "m1", type: "message", role: "assistant", model: "scripted", stop_sequence: null };
  if (!isStream) return JSON.stringify({ ...message, content, stop_reason, usage });
  const events: Record<string, unknown>[] = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    ...content.flatMap((block, index) => {
      const isText = block.type === "text";
      const begun = isText ? { type: "text", text: "" } : { ...block, input: {} };
      const delta = isText
        ? { type: "text_delta", text: (block as { text: string }).text }
        : { type: "input_json_delta", partial_json: JSON.stringify((block as { input: unknown }).input) };
      return [
        { type: "content_block_start", index, content_block: begun },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ];
    }),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
