import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { ADDRESSES } from "./fixture-skills";

type Options = { target: string; token: string };

/**
 * A proxy for the conformance suite, which cannot send a token and has fixed addresses for its resources: it adds the token,
 * names the product’s own host where the suite names the proxy’s, and translates `ADDRESSES` in requests. Nothing else changes,
 * and answers are not touched.
 */
export async function tokenProxy({ target, token }: Options): Promise<{ url: string; close(): void }> {
  const to = new URL(target);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = translate(Buffer.concat(chunks).toString("utf8"));
    const own = request.socket.localPort;
    const headers: IncomingHttpHeaders = { ...request.headers, authorization: `Bearer ${token}` };
    const name = headers["mcp-name"];
    if (typeof name === "string" && ADDRESSES[name] !== undefined) headers["mcp-name"] = ADDRESSES[name];
    for (const key of ["host", "origin"] as const) {
      headers[key] = headers[key]?.replace(new RegExp(`(127\\.0\\.0\\.1|localhost):${own}$`), to.host);
      if (headers[key] === undefined) delete headers[key];
    }
    if (body !== "") headers["content-length"] = String(Buffer.byteLength(body));
    const path = request.url ?? "/";
    const forwarded = send(
      { host: to.hostname, port: to.port, path, method: request.method ?? "GET", headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once("error", () => response.destroy());
      },
    );
    forwarded.once("error", () => response.destroy());
    response.once("close", () => forwarded.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function translate(body: string): string {
  return Object.entries(ADDRESSES).reduce((text, [theirs, ours]) => text.replaceAll(`"${theirs}"`, `"${ours}"`), body);
}
