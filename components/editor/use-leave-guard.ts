import { useEffect } from "react";

const question = "Your edit is not saved, and it is too large to store in this browser. Leave and lose your changes?";

/** Asks for confirmation before the user leaves the page with unsaved changes. */
export function useLeaveGuard(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Client-side navigation does not fire `beforeunload`.
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
