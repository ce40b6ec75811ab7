"use client";

import { useEffect, useRef } from "react";
import type { Diagnostic } from "@/lib/skill-format/schema";

/** F8 goes to the next problem, and after the last one to the first; Shift F8 goes back. */
export function useNextProblem(diagnostics: readonly Diagnostic[], onGo: (diagnostic: Diagnostic) => void): void {
  const latest = useRef({ diagnostics, onGo });
  const at = useRef(-1);
  useEffect(() => {
    latest.current = { diagnostics, onGo };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "F8" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const placed = latest.current.diagnostics.filter(({ path }) => path !== undefined);
      if (placed.length === 0) return;
      at.current = (at.current + (event.shiftKey ? -1 : 1) + placed.length) % placed.length;
      const next = placed[at.current];
      if (next) latest.current.onGo(next);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
