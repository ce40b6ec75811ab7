"use client";

import { type ComponentType, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";

type Load<Props> = () => Promise<ComponentType<Props>>;
type Deferred<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> };

const registered = new Set<() => Promise<void>>();
/** Whether the page has started to load them: those of pages that are opened later then follow without being asked. */
let hasStarted = false;

/**
 * A component whose code is loaded apart from the page: by `preload()`, by `preloadDeferred()`, or when it is rendered.
 * Renders the placeholder until then, and at once afterwards. When its code cannot be loaded, it throws to the error page.
 * `early`: what the page shows at first; loaded beside its other scripts, before the page is hydrated.
 */
export function deferred<Props extends object>(
  load: Load<Props>,
  placeholder: ReactNode = null,
  { early = false } = {},
): Deferred<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  const preload = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        loading = undefined; // The next attempt may succeed.
        throw error;
      },
    );
    return loading;
  };
  registered.add(preload);
  if (hasStarted) setTimeout(() => void preload().catch(() => {}), FOLLOW_MS);
  if (early && typeof window !== "undefined") preload().catch(() => {}); // A failure shows when it is rendered.

  // biome-ignore lint/correctness/noComponentHookFactories: called once per component, at the top of its module
  function Component(props: Props) {
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    const [, setReady] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded) return setReady(true);
      let isShown = true;
      preload().then(
        () => isShown && setReady(true),
        (error: unknown) => isShown && setFailure({ error }),
      );
      return () => {
        isShown = false;
      };
    }, []);
    // Hydration starts with what the server rendered, even if the code is here by then.
    const isHydrated = useSyncExternalStore(neverChanges, onClient, onServer);
    if (failure) throw failure.error;
    const Loaded = isHydrated ? loaded : undefined;
    return Loaded ? <Loaded {...props} /> : placeholder;
  }
  return Object.assign(Component, { preload });
}

const neverChanges = () => () => {};
const onClient = () => true;
const onServer = () => false;

/** Like `deferred`, for a dialog or drawer that is always rendered: renders nothing before it is first opened. */
export function deferredUntil<Props extends object>(
  load: Load<Props>,
  isOpen: (props: Props) => boolean,
): (props: Props) => ReactNode {
  const Loaded = deferred(load);
  // biome-ignore lint/correctness/noComponentHookFactories: called once per component, at the top of its module
  return function Opened(props: Props) {
    const [wasOpen, setWasOpen] = useState(false);
    if (!wasOpen && isOpen(props)) setWasOpen(true);
    return wasOpen ? <Loaded {...props} /> : null;
  };
}

/** Loads a deferred component while its data is fetched; a failure shows when it is rendered. */
export function usePreload({ preload }: { preload: () => Promise<void> }): void {
  useEffect(() => {
    preload().catch(() => {});
  }, [preload]);
}

/** Loads the code of every deferred component of the page. */
export async function preloadDeferred(): Promise<void> {
  await Promise.allSettled([...registered].map((load) => load()));
}

const FIRST_INPUT = ["pointermove", "pointerdown", "keydown"] as const;
const IDLE_MS = 3_000;
const FOLLOW_MS = 500;

/** Loads them at the first input, or three seconds after the page: before a person can open any of them. Renders nothing. */
export function PreloadDeferred() {
  useEffect(() => {
    const stop = new AbortController();
    const start = () => {
      stop.abort();
      hasStarted = true;
      void preloadDeferred();
    };
    for (const type of FIRST_INPUT) document.addEventListener(type, start, { signal: stop.signal, passive: true });
    const timer = setTimeout(start, IDLE_MS);
    stop.signal.addEventListener("abort", () => clearTimeout(timer));
    return () => stop.abort();
  }, []);
  return null;
}
