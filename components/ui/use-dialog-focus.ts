"use client";

import { useRef } from "react";

type DialogFocus = { onOpenAutoFocus: (event: Event) => void; onCloseAutoFocus: (event: Event) => void };

/**
 * Where the focus goes. On opening: to the first field, or to the dialog itself when there is nothing to fill in. On
 * closing: back to where it was, which Radix does only for dialogs that were opened by a trigger of theirs.
 */
export function useDialogFocus({ seekField = true }: { seekField?: boolean } = {}): DialogFocus {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus(event) {
      opener.current = findOpener(document.activeElement);
      const dialog = event.target;
      if (!seekField || !(dialog instanceof HTMLElement) || dialog.querySelector("input, textarea, select")) return;
      event.preventDefault();
      dialog.focus();
    },
    onCloseAutoFocus(event) {
      if (!opener.current?.isConnected || opener.current === document.body) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}

/** An item of a menu is gone when the dialog closes; the button that opened the menu is still there. */
function findOpener(focused: Element | null): HTMLElement | null {
  const buttonId = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = buttonId ? document.getElementById(buttonId) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
