export type RealTool = {
  name: string;
  /** The published documentation that the schema follows. Names and limits are from there, the sentences are ours. */
  source: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
};
