import { createServer } from "node:http";
import { buildBareNext, startBareNext } from "./harness/bare-next";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { LARGE_WORLD } from "./harness/fill-world";
import { addBlock, createSeries, round } from "./harness/measure";
import { requireBuild } from "./harness/product-processes";
import { liftLimits } from "./harness/publish-skill";
import { startSeeded } from "./harness/start-seeded";

const CONCURRENCY = [1, 16];
const CALLS = 100;
/** Answers that are streams, archives, exports, differences or integrity checks, or that another host takes part in. */
const NOT_FROM_ROWS =
  /stream|events$|export|archive|download|\/files|diff|verify|integrity|backups|\/blobs|openapi|\.atom|\.tar|\.zip|report$|\/scan|metrics|system$|ready$|health$|api\/auth|oauth|\/cli\/|setup|device/;

/** Shares of the bare route at 1 and at 16 clients, for answers made anew and for answers that may be repeated. */
type Row = { path: string; bytes: number; first: number[]; repeated: number[] };

/**
 * Every GET of the API that answers from stored rows, in the seeded world, against a bare Next route that returns the same
 * bytes: requests per second as a share of the bare route's, at 1 and at 16 clients, in turns. The control is a bare
 * `node:http` server with the same bytes. Each address is asked in two ways: "first" with another ignored parameter each
 * time, so that the answer is made anew, and "repeated" as it is, when the answer of the last second may be repeated
 * (decision 040). `--rounds` is how often each gets its turn, `--only` the parts of an address, `--large` the filled world.
 */
export async function benchReads({ quick, json, large, only, rounds }: BenchOptions): Promise<void> {
  requireBuild();
  buildBareNext();
  const seeded = await startSeeded(large ? LARGE_WORLD : null);
  const stops = [seeded.stop];
  const product = openCaller(seeded.url, await createToken(seeded));
  try {
    await liftLimits(product);
    const paths = (await findPaths(product)).filter(
      (path) => only === null || only.some((part) => path.includes(part)),
    );
    const bodies: Record<string, string> = {};
    for (const [index, path] of paths.entries()) bodies[`body-${index}`] = (await product.call("GET", path)).text;
    const next = await startBareNext(bodies);
    stops.push(() => next.stop());
    const node = await startBareNode(bodies);
    stops.push(node.stop);
    const [bareNext, bareNode] = [openCaller(next.url, null), openCaller(node.url, null)];
    const rows: Row[] = [];
    const nodeShares: number[] = [];
    let asks = 0;
    const anewOf = (path: string) => {
      asks += 1;
      return `${path}${path.includes("?") ? "&" : "?"}_=${asks}`;
    };
    for (const [index, path] of paths.entries()) {
      const bare = `/bytes/body-${index}`;
      // The distribution endpoints allow each token 3,000 reads a minute.
      const reader = openCaller(seeded.url, await createToken(seeded));
      const [first, repeated]: [number[], number[]] = [[], []];
      for (const concurrency of CONCURRENCY) {
        const [anew, again, theirs, control] = [createSeries(), createSeries(), createSeries(), createSeries()];
        const block = { count: quick ? 20 : CALLS, concurrency };
        for (let turn = 0; turn < (rounds ?? 1); turn += 1) {
          for (const [series, caller, address] of [
            [anew, reader, () => anewOf(path)],
            [again, reader, () => path],
            [theirs, bareNext, () => bare],
            [control, bareNode, () => bare],
          ] as const)
            await addBlock(series, block, async () => {
              const { status } = await caller.call("GET", address());
              if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
            });
        }
        first.push(round(theirs.elapsedMs / anew.elapsedMs));
        repeated.push(round(theirs.elapsedMs / again.elapsedMs));
        nodeShares.push(round(theirs.elapsedMs / control.elapsedMs));
      }
      reader.close();
      rows.push({ path, bytes: bodies[`body-${index}`]?.length ?? 0, first, repeated });
    }
    for (const caller of [product, bareNext, bareNode]) caller.close();
    tell(rows, nodeShares);
    if (json) console.log(JSON.stringify({ bench: "reads", rows }));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Creates a token of the seeded world's admin. */
async function createToken({ url, cookie }: { url: string; cookie: string }): Promise<string> {
  const caller = openCaller(url, null);
  const answer = await caller.call("POST", "/api/tokens", {
    json: { name: "reads", scopes: ["read", "run", "write", "review", "admin"] },
    headers: { cookie, origin: url, "sec-fetch-site": "same-origin" },
  });
  caller.close();
  if (answer.status !== 201) throw new Error(`No token was created: ${answer.status} ${answer.text.slice(0, 300)}`);
  return (JSON.parse(answer.text) as { token: string }).token;
}

function tell(rows: Row[], nodeShares: number[]): void {
  const sorted = rows.toSorted((a, b) => Math.min(...a.first) - Math.min(...b.first));
  console.table(
    sorted.map(({ path, bytes, first, repeated }) => ({
      path,
      bytes,
      "first at 1": first[0],
      "first at 16": first[1],
      "repeated at 1": repeated[0],
      "repeated at 16": repeated[1],
    })),
  );
  for (const way of ["first", "repeated"] as const) {
    const all = rows.flatMap((row) => row[way]);
    const below = rows.filter((row) => row[way].some((share) => share < 1)).length;
    console.log(
      `reads: ${way}: ${rows.length} addresses, of a bare Next route: median ${median(all)} (aim: at least 2), lowest ${Math.min(...all)} (aim: at least 1), ${below} below 1`,
    );
  }
  console.log(`reads: control: bare node:http is ${median(nodeShares)} of the bare Next route in the median`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The addresses of the API's own description, with the ids of what is in the world. */
async function findPaths(caller: Caller): Promise<string[]> {
  const { paths } = JSON.parse((await caller.call("GET", "/api/openapi.json")).text) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const found: string[] = [];
  const ids = new Map<string, string | null>();
  for (const [path, methods] of Object.entries(paths)) {
    if (methods.get === undefined || NOT_FROM_ROWS.test(path)) continue;
    const filled = await fill(caller, path, ids);
    if (filled === null) continue;
    const answer = await caller.call("GET", filled).catch(() => null);
    const isJson = String(answer?.headers["content-type"]).includes("json");
    if (answer?.status === 200 && isJson) found.push(filled);
  }
  return found;
}

/** With the first `{…}` replaced by the id of the first row of the list before it; null when there is none. */
async function fill(caller: Caller, path: string, ids: Map<string, string | null>): Promise<string | null> {
  const at = path.indexOf("/{");
  if (at === -1) return path;
  const list = path.slice(0, at);
  if (!ids.has(list)) {
    const { status, text } = await caller.call("GET", list);
    ids.set(list, status === 200 ? firstId(JSON.parse(text)) : null);
  }
  const id = ids.get(list);
  if (!id) return null;
  return fill(caller, path.replace(/\/\{[^}]+\}/, `/${encodeURIComponent(id)}`), ids);
}

function firstId(answer: Record<string, unknown>): string | null {
  const rows = Object.values(answer).find((value) => Array.isArray(value) && value.length > 0) as
    | Record<string, unknown>[]
    | undefined;
  const { id, digest, name } = rows?.[0] ?? {};
  const key = id ?? digest ?? name;
  return typeof key === "string" ? key : null;
}

async function startBareNode(bodies: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const body = bodies[request.url?.split("/").at(-1) ?? ""] ?? "";
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
