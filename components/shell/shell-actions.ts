"use client";

import { createContext, useContext } from "react";

export type ShellActions = { openPalette: () => void; openHelp: () => void };

export const ShellActionsContext = createContext<ShellActions>({ openPalette: () => {}, openHelp: () => {} });

/** Opens the shell's own dialogs from anywhere in a page. */
export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}

/** Asks My skills to open its import drawer; `/skills?import=1` does the same for a page that is not open yet. */
export const importEvent = "skillgate:import";
