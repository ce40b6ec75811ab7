import { Agent, request } from "node:http";

export type JsonClient = { post(body: unknown): Promise<unknown>; close(): void };

/** Posts JSON to one address and reads the JSON answer, over connections that stay open. */
export function postJson(url: string): JsonClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const post = (body: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const call = request(url, { method: "POST", agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const answer = Buffer.concat(chunks).toString("utf8");
          if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}: ${answer}`));
          else resolve(JSON.parse(answer));
        });
      });
      call.once("error", reject);
      call.end(text);
    });
  return { post, close: () => agent.destroy() };
}
