import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import {
  ExchangeRequest,
  type ExchangeResponse,
  InventoryRequest,
  type InventoryResponse,
  type Outcome,
  RegisterRequest,
  type RunEventItem,
} from "../protocol";
import type { LeaseKit } from "./make-lease";

export type FakeServer = {
  url: string;
  /** Leases that workers will get. */
  queue: LeaseKit[];
  /** Runs to cancel: sent in every answer to a request that names them as held. */
  cancel: ExchangeResponse["cancel"];
  registered: RegisterRequest[];
  exchanges: ExchangeRequest[];
  /** Outcomes in the order of arrival; one that is reported twice is here twice. */
  completions: { runId: string; fence: number; outcome: Outcome }[];
  events: RunEventItem[];
  inventories: InventoryRequest[];
  /** Files that workers sent, by hash. */
  uploads: Map<string, Buffer>;
  /** Packs that are no longer approved. The server allows processes for all others, in 256 MiB. */
  revoked: string[];
  /** Whether acknowledgements are accepted. */
  accepts: boolean;
  /** Sent in the next answer to an exchange that waits. */
  rescan: boolean;
  /** Answers with this status instead while it is set; null closes the connection after the request was read. */
  failure: ((request: IncomingMessage, body: string) => number | null | undefined) | null;
};

/** The server's side of the protocol, on a free port of this machine; closed after the test. */
export async function startFakeServer(): Promise<FakeServer> {
  const blobs = new Map<string, Buffer>();
  const fake: FakeServer = {
    url: "",
    queue: [],
    cancel: [],
    registered: [],
    exchanges: [],
    completions: [],
    events: [],
    inventories: [],
    uploads: new Map(),
    revoked: [],
    accepts: true,
    rescan: false,
    failure: null,
  };

  function exchange(request: ExchangeRequest): ExchangeResponse {
    fake.exchanges.push(request);
    fake.events.push(...request.events.flatMap((of) => of.items));
    fake.completions.push(...request.completions);
    const kits = fake.queue.splice(0, request.slots);
    for (const kit of kits) for (const [sha256, bytes] of kit.blobs) blobs.set(sha256, bytes);
    const rescan = fake.rescan && request.waitSeconds > 0 ? { rescan: true as const } : {};
    if (rescan.rescan) fake.rescan = false;
    const accepted = fake.accepts && request.started ? { accepted: request.started } : {};
    const current = request.warm?.filter((pack) => !fake.revoked.includes(pack));
    const warm = current ? { warm: { memoryMiB: 256, current } } : {};
    return { leases: kits.map((kit) => kit.lease), cancel: cancelled(request), ...accepted, ...rescan, ...warm };
  }

  function cancelled({ holding }: ExchangeRequest): ExchangeResponse["cancel"] {
    return fake.cancel.filter(({ runId }) => holding.some((held) => held.runId === runId));
  }

  function takeInventory(inventory: InventoryRequest): InventoryResponse {
    fake.inventories.push(inventory);
    const named = inventory.items.flatMap(({ files }) => files.map(({ sha256 }) => sha256));
    const need = [...new Set(named)].filter((sha256) => !fake.uploads.has(sha256));
    return { need, skills: [], problems: [] };
  }

  function answer(request: IncomingMessage, body: string, raw: Buffer, response: ServerResponse): void {
    const failure = fake.failure?.(request, body);
    if (failure === null) response.destroy();
    else if (failure !== undefined) response.writeHead(failure).end(`{"code":"fake"}`);
    else if (request.url === "/api/worker/register") {
      fake.registered.push(RegisterRequest.parse(JSON.parse(body)));
      send(response, { workerId: "w1", name: "fake" });
    } else if (request.url === "/api/worker/exchange") holdOpen(ExchangeRequest.parse(JSON.parse(body)), response);
    else if (request.url === "/api/worker/inventory")
      send(response, takeInventory(InventoryRequest.parse(JSON.parse(body))));
    else if (request.method === "PUT") {
      fake.uploads.set(request.url?.split("/").at(-1) ?? "", raw);
      response.writeHead(204).end();
    } else response.end(blobs.get(request.url?.split(/[/?]/)[4] ?? ""));
  }

  function holdOpen(request: ExchangeRequest, response: ServerResponse): void {
    const hasNews = () => fake.queue.length > 0 || fake.rescan || cancelled(request).length > 0;
    if (request.waitSeconds === 0 || hasNews()) {
      send(response, exchange(request));
      return;
    }
    const timer = setInterval(() => {
      if (!hasNews()) return;
      clearInterval(timer);
      send(response, exchange(request));
    }, 5);
    response.on("close", () => clearInterval(timer));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks);
      answer(request, raw.toString("utf8"), raw, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function send(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
