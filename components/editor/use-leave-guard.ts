import { useEffect } from "react";

const question = "Your edit is not saved, and there was no room to keep it in this browser. Leave and lose it?";

/** Asks before the page is left, while there is something that would be lost. */
export function useLeaveGuard(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Links inside the product change the page without unloading it.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const staysHere = !link || link.getAttribute("target") === "_blank" || event.metaKey || event.ctrlKey;
      if (staysHere || window.confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("beforeunload", beforeUnload);
    document.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("beforeunload", beforeUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [isNeeded]);
}
