import { useRef } from "react";

export const overlayStyles = "fixed inset-0 z-50 animate-fade bg-overlay";

type DialogFocus = { onOpenAutoFocus: (event: Event) => void; onCloseAutoFocus: (event: Event) => void };

/**
 * Focuses the first field on opening, or the dialog when it has no fields. On closing restores the focus, which Radix does
 * only for dialogs with a trigger.
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

/** For a menu item, which is unmounted by then, returns the button of the menu. */
function findOpener(focused: Element | null): HTMLElement | null {
  const buttonId = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const opener = buttonId ? document.getElementById(buttonId) : focused;
  return opener instanceof HTMLElement ? opener : null;
}
