export type BenchOptions = {
  /** Few repetitions: shows that the bench works, not how fast the product is. */
  quick: boolean;
  /** Also print the figures as one line of JSON. */
  json: boolean;
};
