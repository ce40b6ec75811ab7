export type BenchOptions = {
  /** Few repetitions: shows that the bench works, not how fast the product is. */
  quick: boolean;
  /** Also print the figures as one line of JSON. */
  json: boolean;
  /** Names of the parts to measure; null measures all. */
  only: string[] | null;
  /** How often each way gets its turn; null leaves it to the bench. */
  rounds: number | null;
  /** Address of a PostgreSQL server on which databases may be made; null for a file. Of the benches that try to break things. */
  database: string | null;
  /** What repeats a run of chance; null for another each time. */
  seed: number | null;
};

/** The seed that was asked for, or one for this run; every figure that chance has a part in is published with it. */
export function seedOf(given: number | null): number {
  return given ?? Date.now() % 1_000_000;
}
