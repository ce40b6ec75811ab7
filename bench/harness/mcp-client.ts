const PROTOCOL = "2025-06-18";

export type McpClient = { request<T>(method: string, params?: object): Promise<T>; close(): Promise<void> };

type Answer = { id?: number; result?: unknown; error?: { message: string } };

/** Opens a session at `/mcp` as any client would: initialize, then requests that name the session. */
export async function openMcp(url: string, token: string): Promise<McpClient> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  let last = 0;
  const post = async (message: object) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`/mcp answered ${response.status}: ${text.slice(0, 500)}`);
    return { response, text };
  };
  const request = async <T>(method: string, params: object = {}) => {
    last += 1;
    const id = last;
    const { response, text } = await post({ id, method, params });
    const answer = messagesOf(response, text).find((message) => message.id === id);
    if (answer === undefined) throw new Error(`${method} was not answered: ${text.slice(0, 500)}`);
    if (answer.error) throw new Error(`${method} failed: ${answer.error.message}`);
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers["mcp-session-id"] = session;
    // The caller knows what this method answers with.
    return answer.result as T;
  };
  const clientInfo = { name: "skillgate-bench", version: "1" };
  const { protocolVersion } = await request<{ protocolVersion: string }>("initialize", {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo,
  });
  headers["mcp-protocol-version"] = protocolVersion;
  await post({ method: "notifications/initialized" });
  return {
    request,
    async close() {
      await fetch(`${url}/mcp`, { method: "DELETE", headers });
    },
  };
}

/** One JSON message, or those of a stream of events. */
function messagesOf(response: Response, text: string): Answer[] {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return [JSON.parse(text) as Answer];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())
    .filter((data) => data !== "")
    .map((data) => JSON.parse(data) as Answer);
}
