"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first draw, for what only the browser knows. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
