export type Figures = { count: number; perSecond: number; p50Ms: number; p95Ms: number };

export type Series = { latenciesMs: number[]; elapsedMs: number };
export type Block = { count: number; concurrency: number };

export function createSeries(): Series {
  return { latenciesMs: [], elapsedMs: 0 };
}

/** Makes `count` calls, `concurrency` at a time, and adds them to the series. Stops at the first error. */
export async function addBlock(
  series: Series,
  { count, concurrency }: Block,
  call: () => Promise<void>,
): Promise<void> {
  let left = count;
  const startedAt = performance.now();
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const calledAt = performance.now();
      await call();
      series.latenciesMs.push(performance.now() - calledAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  series.elapsedMs += performance.now() - startedAt;
}

export function addSeries(to: Series, { latenciesMs, elapsedMs }: Series): void {
  to.latenciesMs.push(...latenciesMs);
  to.elapsedMs += elapsedMs;
}

export function figuresOf({ latenciesMs, elapsedMs }: Series): Figures {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    count: sorted.length,
    perSecond: round((sorted.length / elapsedMs) * 1000),
    p50Ms: round(at(0.5)),
    p95Ms: round(at(0.95)),
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function median(values: number[]): number {
  return round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
