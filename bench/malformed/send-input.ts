import { request } from "node:http";
import { connect } from "node:net";
import type { Input, Fixture } from "./input";

/** What came back: a status, or null where the connection ended without one, which is an answer to nonsense too. */
export type Outcome = { status: number | null; isHung: boolean; ms: number };

/** Sends one input on a connection of its own. Answers once the head of an answer is there: streams go on for ever. */
export function sendInput(input: Input, { host, token }: Fixture, patienceMs: number): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const told = (status: number | null, isHung = false) =>
      resolve({ status, isHung, ms: performance.now() - startedAt });
    if (input.kind === "raw") return sendBytes(input.bytes, host, patienceMs, told);
    const [hostname, port] = host.split(":");
    const body = input.body ?? "";
    try {
      const sent = request(
        {
          hostname,
          port,
          // Sent as it is: what a URL makes of it is not what is tried.
          path: input.path.replace(/[^\x21-\xff]/g, encodeURIComponent),
          method: input.method,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body.length > 0 ? { "content-length": Buffer.byteLength(body) } : {}),
            ...input.headers,
          },
        },
        (response) => {
          told(response.statusCode ?? null);
          response.destroy();
        },
      );
      sent.setTimeout(patienceMs, () => {
        told(null, true);
        sent.destroy();
      });
      sent.once("error", () => told(null));
      sent.end(body);
    } catch {
      // Not even Node would send that.
      told(null);
    }
  });
}

function sendBytes(
  bytes: Uint8Array,
  host: string,
  patienceMs: number,
  told: (status: number | null, isHung?: boolean) => void,
): void {
  const [hostname, port] = host.split(":");
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setTimeout(patienceMs, () => {
    // Whatever was asked for, our side is closed: to answer or to close is all that is left to do.
    told(null, true);
    socket.destroy();
  });
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const worst = [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)]
      .map(([, status]) => Number(status))
      .sort((a, b) => b - a)[0];
    if (worst === undefined) return;
    told(worst);
    socket.destroy();
  });
  socket.once("error", () => told(null));
  socket.once("close", () => told(null));
  socket.end(bytes);
}
