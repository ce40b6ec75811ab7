import { round } from "./measure";
import type { Row, WayFigures } from "./overhead-row";
import type { Way } from "./overhead-ways";

type Measure = "perSecond" | "p50Ms";
export type Aim = { name: string; value: number | null; wanted: string; met: boolean | null };
/** However many runs it has executed. */
const WORKER_MIB = 100;
type Wish = { pack: string; concurrency: number; part: Way; whole: Way; measure: Measure; aim: number };

const WISHES: Wish[] = [
  { pack: "sh", concurrency: 8, part: "cold", whole: "bwrap", measure: "perSecond", aim: 0.6 },
  { pack: "sh", concurrency: 8, part: "without", whole: "spawn", measure: "perSecond", aim: 0.35 },
  { pack: "python3", concurrency: 1, part: "warm", whole: "spawn", measure: "p50Ms", aim: 1 },
  { pack: "node", concurrency: 1, part: "warm", whole: "spawn", measure: "p50Ms", aim: 1 },
];

/** One way as a share of another; null where one of them is missing. */
export function ratioOf(row: Row, part: Way, whole: Way, measure: Measure): number | null {
  const share = shareOf(row, part, whole, measure);
  return share === null ? null : round(share);
}

function shareOf(row: Row, part: Way, whole: Way, measure: Measure): number | null {
  const [a, b] = [figuresIn(row, part), figuresIn(row, whole)];
  return a && b ? a[measure] / b[measure] : null;
}

/** The figures of a way, or null where there are none. */
export function figuresIn(row: Row, way: Way): WayFigures | null {
  const figures = row.ways[way];
  return "missing" in figures ? null : figures;
}

/** Throughput is to reach its share, latency and the memory of the largest worker (MiB, in the end) to stay below theirs. */
export function aimsOf(rows: Row[], workersMiB: number[]): Aim[] {
  const largest = workersMiB.length > 0 ? Math.max(...workersMiB) : null;
  const met = largest === null ? null : largest < WORKER_MIB;
  return [
    ...WISHES.map((wish) => aimOf(wish, rows)),
    { name: "worker MiB", value: largest, wanted: `below ${WORKER_MIB}`, met },
  ];
}

function aimOf({ pack, concurrency, part, whole, measure, aim }: Wish, rows: Row[]): Aim {
  const row = rows.find((row) => row.pack === pack && row.concurrency === concurrency);
  const value = row ? shareOf(row, part, whole, measure) : null;
  const isLatency = measure === "p50Ms";
  return {
    name: `${pack} ×${concurrency} ${part}/${whole}${isLatency ? " p50" : ""}`,
    value: value === null ? null : round(value),
    wanted: isLatency ? `below ${aim}` : `at least ${aim}`,
    met: value === null ? null : isLatency ? value < aim : value >= aim,
  };
}

export function describeAims(aims: Aim[]): string {
  const parts = aims.map(({ name, value, wanted, met }) => {
    const verdict = met === null ? "not measured" : met ? "met" : "not met";
    return `${name} ${value ?? "-"} (${wanted}): ${verdict}`;
  });
  return `run-overhead: ${parts.join("; ")}`;
}
