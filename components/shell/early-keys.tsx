import { useLayoutEffect } from "react";

let typed = "";

/** The text that was typed while the palette was being loaded; empty the next time. */
export function takeEarlyKeys(): string {
  const text = typed;
  typed = "";
  return text;
}

/** Keeps what is typed into a palette whose code has not arrived yet. Renders nothing. */
export function EarlyKeys() {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key.length === 1) typed += event.key;
      else if (event.key === "Backspace") typed = typed.slice(0, -1);
      else return;
      event.preventDefault();
      event.stopPropagation(); // Otherwise the letters would be shortcuts.
    };
    document.addEventListener("keydown", keep, true);
    return () => document.removeEventListener("keydown", keep, true);
  }, []);
  return null;
}
