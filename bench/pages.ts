import { buildBareNext, startBareNext } from "./harness/bare-next";
import type { BenchOptions } from "./harness/bench-options";
import { type Caller, openCaller } from "./harness/call-api";
import { addBlock, createSeries, round } from "./harness/measure";
import { requireBuild } from "./harness/product-processes";
import { startSeeded } from "./harness/start-seeded";

const CONCURRENCY = [1, 16];
const CALLS = 60;
const AIM = 2;
const PAGES = ["/skills", "/catalog", "/runs", "/audit", "/reviews", "/settings", "/sign-in?error=x&provider=x"];

/** A bare page whose text fills the answer: it is once in the HTML and once in the data that Next adds for the browser. */
const FILLED_PAGE = `export const dynamic = "force-dynamic";
export default async function Page({ params }) {
  const { chars } = await params;
  return <p>{"x".repeat(Number(chars))}</p>;
}`;

/**
 * The time a page takes on the server, signed in, as a multiple of a bare dynamic Next page with the same bytes in the same run,
 * in turns, at 1 and at 16 clients. The control is the bare page against itself with other bytes of the same length.
 */
export async function benchPages({ quick, json, only, rounds }: BenchOptions): Promise<void> {
  requireBuild();
  buildBareNext({ "app/filled/[chars]/page.jsx": FILLED_PAGE });
  const seeded = await startSeeded();
  const stops = [seeded.stop];
  try {
    const next = await startBareNext({});
    stops.push(() => next.stop());
    const [product, bare] = [openCaller(seeded.url, null), openCaller(next.url, null)];
    const rows: { page: string; bytes: number; times: number[] }[] = [];
    const controls: number[] = [];
    for (const page of PAGES.filter((path) => only === null || only.some((part) => path.includes(part)))) {
      const bytes = (await get(product, page, seeded.cookie)).length;
      const filled = await findFilled(bare, bytes);
      const times: number[] = [];
      for (const concurrency of CONCURRENCY) {
        const [ours, theirs, control] = [createSeries(), createSeries(), createSeries()];
        const block = { count: quick ? 10 : CALLS, concurrency };
        for (let turn = 0; turn < (rounds ?? 3); turn += 1) {
          await addBlock(ours, block, async () => void (await get(product, page, seeded.cookie)));
          await addBlock(theirs, block, async () => void (await get(bare, filled, "")));
          await addBlock(control, block, async () => void (await get(bare, filled, "")));
        }
        times.push(round(ours.elapsedMs / theirs.elapsedMs));
        controls.push(round(control.elapsedMs / theirs.elapsedMs));
      }
      rows.push({ page, bytes, times });
    }
    for (const caller of [product, bare]) caller.close();
    console.table(
      rows.map(({ page, bytes, times: [one, sixteen] }) => ({ page, bytes, "at 1": one, "at 16": sixteen })),
    );
    const highest = Math.max(...rows.flatMap(({ times }) => times));
    console.log(
      `pages: at most ${highest} times a bare Next page with the same bytes (aim: ${AIM}); control, the bare page again: ${Math.min(...controls)} to ${Math.max(...controls)} times`,
    );
    if (json) console.log(JSON.stringify({ bench: "pages", rows, controls }));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function get(caller: Caller, path: string, cookie: string): Promise<string> {
  const { status, text } = await caller.call("GET", path, { headers: cookie === "" ? {} : { cookie } });
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return text;
}

/** The address of a bare page with about this many bytes. */
async function findFilled(bare: Caller, bytes: number): Promise<string> {
  const empty = (await get(bare, "/filled/1", "")).length;
  return `/filled/${Math.max(1, Math.round((bytes - empty) / 2))}`;
}
