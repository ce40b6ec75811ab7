import { useCallback, useSyncExternalStore } from "react";

// `history.replaceState` fires no event, so the hook dispatches its own.
const changed = "skillgate:hash";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener(changed, listener);
  };
}

/** The hash of the address with its `#` (empty for none), and its setter. */
export function useAddressHash(): [string, (hash: string) => void] {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  const set = useCallback((next: string) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", `${pathname}${search}${next}`);
    window.dispatchEvent(new Event(changed));
  }, []);
  return [hash, set];
}

/** The line number in the address (`#L12`) or null, and its setter. */
export function useLineHash(): [number | null, (line: number | null) => void] {
  const [hash, setHash] = useAddressHash();
  const set = useCallback((line: number | null) => setHash(line === null ? "" : `#L${line}`), [setHash]);
  const match = /^#L(\d{1,7})$/.exec(hash);
  return [match ? Number(match[1]) : null, set];
}
