import type { Run } from "@/lib/client/runs";

export type SideBySide = { field: string; values: (string | null)[]; differs: boolean }[];

/**
 * The results of a group as rows, one for each field that any of them has, with a value for each run; results that are no
 * objects are one row. A run without a result has nothing to compare. Values are JSON, texts without their quotes.
 */
export function sideBySide(runs: readonly Pick<Run, "state" | "result">[]): SideBySide {
  const ended = runs.filter((run) => run.state === "succeeded");
  if (ended.length === 0) return [];
  const areObjects = ended.every((run) => isObject(run.result));
  const fields = areObjects ? [...new Set(ended.flatMap((run) => Object.keys(run.result as object)))] : [""];
  return fields.map((field) => {
    const values = runs.map((run) => {
      if (run.state !== "succeeded") return null;
      const value = areObjects ? (run.result as Record<string, unknown>)[field] : run.result;
      return value === undefined ? null : asText(value);
    });
    const present = values.filter((_, index) => runs[index]?.state === "succeeded");
    return { field, values, differs: new Set(present).size > 1 };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
