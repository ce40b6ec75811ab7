import { RunFailure } from "../launch/run-failure";

/** A run that would otherwise be root does not start when all ids are out. Throws RunFailure `spawn_failed`. */
export function requireUid(uid: number | null): number {
  if (uid !== null) return uid;
  throw new RunFailure(
    "spawn_failed",
    "This worker has no user id left for the run: more runs are on it than it has ids.",
  );
}
