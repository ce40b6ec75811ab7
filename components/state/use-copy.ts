"use client";

import { useEffect, useState } from "react";

const shownMs = 1500;

/** Copies text; `copied` is true for 1.5 s afterwards. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (text: string) => {
    if (await writeClipboard(text)) setCopied(true);
  };
  return { copied, copy };
}

async function writeClipboard(text: string): Promise<boolean> {
  // The API is absent on plain http from another machine.
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused (no focus or no permission): execCommand may still work.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.position = "fixed";
  area.style.opacity = "0";
  const focused = document.activeElement;
  (focused?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand?.("copy") ?? false;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
