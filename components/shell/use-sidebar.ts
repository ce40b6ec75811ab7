"use client";

import { useCallback, useEffect } from "react";
import { useStoredValue } from "@/components/state/use-stored-value";
import { sidebarStorageKey } from "./start-script";

/** Whether the sidebar shows icons alone; styles follow `html[data-sidebar]`. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [state, setState] = useStoredValue<"open" | "collapsed">(sidebarStorageKey, "open");
  const isCollapsed = state === "collapsed";

  useEffect(() => {
    if (isCollapsed) document.documentElement.setAttribute("data-sidebar", "collapsed");
    else document.documentElement.removeAttribute("data-sidebar");
  }, [isCollapsed]);

  const toggle = useCallback(() => setState(isCollapsed ? "open" : "collapsed"), [isCollapsed, setState]);
  return { isCollapsed, toggle };
}
