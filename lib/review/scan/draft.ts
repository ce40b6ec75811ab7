import type { Finding } from "./schema";

/** A finding before it is weighed against the others and counted. */
export type Draft = Omit<Finding, "fingerprint" | "more" | "raisedBy">;
