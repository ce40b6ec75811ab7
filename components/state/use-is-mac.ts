"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};
const isMac = () => /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Whether to write shortcuts with ⌘. False on the server. */
export function useIsMac(): boolean {
  return useSyncExternalStore(never, isMac, () => false);
}
