import { figuresIn, ratioOf } from "./overhead-aims";
import type { Row } from "./overhead-row";
import { WAYS, type Way } from "./overhead-ways";

const TITLES: Record<Way, string> = {
  spawn: "spawn",
  bwrap: "bwrap",
  cold: "Skillgate, sandbox cold",
  warm: "Skillgate, sandbox warm",
  without: "Skillgate, no sandbox",
  cgi: "nginx + fcgiwrap",
  webhook: "webhook",
  nodeRed: "Node-RED exec",
};

/** A table for each pack and concurrency, and a line for each way: throughput, latency, its ratios to the raw ways. */
export function printOverhead(rows: Row[]): void {
  for (const row of rows) {
    console.log(`\n${row.pack}, ${row.concurrency} at a time`);
    console.table(Object.fromEntries(WAYS.map((way) => [TITLES[way], lineOf(row, way)])));
  }
}

function lineOf(row: Row, way: Way): Record<string, unknown> {
  const figures = figuresIn(row, way);
  const stated = row.ways[way];
  if (!figures) return { "runs/s": "missing" in stated ? stated.missing : "" };
  return {
    "runs/s": figures.perSecond,
    "p50 ms": figures.p50Ms,
    "p95 ms": figures.p95Ms,
    "runs/s of spawn": ratioOf(row, way, "spawn", "perSecond") ?? "-",
    "runs/s of bwrap": ratioOf(row, way, "bwrap", "perSecond") ?? "-",
    "p50 of spawn": ratioOf(row, way, "spawn", "p50Ms") ?? "-",
    ...(figures.webCpuMs === undefined ? {} : { "web CPU ms": figures.webCpuMs }),
    ...(figures.workerCpuMs === undefined ? {} : { "worker CPU ms": figures.workerCpuMs }),
    ...(figures.warmShare === undefined ? {} : { "found warm": `${Math.round(figures.warmShare * 100)} %` }),
  };
}
