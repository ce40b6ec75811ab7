export type BenchOptions = {
  /** Few repetitions: shows that the bench works, not how fast the product is. */
  quick: boolean;
  /** Also print the figures as one line of JSON. */
  json: boolean;
  /** Names of the parts to measure; null measures all. */
  only: string[] | null;
  /** How often each way gets its turn; null leaves it to the bench. */
  rounds: number | null;
};
