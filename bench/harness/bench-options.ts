export type BenchOptions = {
  /** Few repetitions: checks that the bench works, not how fast the product is. */
  quick: boolean;
  json: boolean;
  /** A world of 5,000 skills, 100,000 runs, 1,000,000 audit events and 22,000 catalog entries. */
  large: boolean;
  only: string[] | null;
  /** Number of turns for each part; null uses the bench's default. */
  rounds: number | null;
  /** Address of a PostgreSQL server on which databases may be created; null uses a file. */
  database: string | null;
  /** Repeats a random sequence; null chooses a new one. */
  seed: number | null;
};

export function seedOf(given: number | null): number {
  return given ?? Date.now() % 1_000_000;
}
