import { BuiltinError, type BuiltinIo } from "./builtin";

export type Edge = {
  id: string;
  name: string;
  online: boolean;
  manager: boolean;
  version: string | null;
  platform: string | null;
  isolation: string | null;
  slots: number;
  running: number;
  /** Load average of its machine over one minute; null when it did not report one. */
  load: number | null;
  busy: number;
  lastSeenAt: string | null;
  runs: number;
  succeeded: number;
  failed: number;
  /** Share of failed runs among finished ones, from 0 to 1; null when none finished. */
  failureRate: number | null;
  averageMs: number | null;
};

type EdgesContext = { windowMinutes: number; at: string; edges: Edge[]; truncated: boolean };

/** The server's data for a built-in that reads its workers. Throws BuiltinError when it is missing. */
export function edgesOf({ context }: Pick<BuiltinIo, "context">): EdgesContext {
  const given = context as EdgesContext | null;
  if (!Array.isArray(given?.edges)) throw new BuiltinError("The server gave this run no list of edges.");
  return given;
}
