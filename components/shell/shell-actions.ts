"use client";

import { createContext, useContext } from "react";

type ShellActions = { openPalette: () => void; openHelp: () => void };

export const ShellActionsContext = createContext<ShellActions>({ openPalette: () => {}, openHelp: () => {} });

export function useShellActions(): ShellActions {
  return useContext(ShellActionsContext);
}

/** Opens the import drawer of the open page My skills; from other pages, go to `/skills?import=1`. */
export const importEvent = "skillgate:import";
