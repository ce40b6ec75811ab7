"use client";

import * as Slot from "radix-ui/slot";
import {
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { deferred } from "./deferred/deferred";
import {
  createTooltipEntries,
  TooltipContext,
  type TooltipEntry,
  type TooltipHandlers,
} from "./deferred/tooltip-entries";

const LoadedHost = deferred(async () => (await import("./deferred/tooltip-host")).TooltipHost);

/** Shows the tooltips of its children. Their code is loaded apart from the page, and none is in it until asked for. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const [entries] = useState(createTooltipEntries);
  const shown = useSyncExternalStore(entries.subscribe, entries.list, () => none);
  return (
    <TooltipContext value={entries}>
      {children}
      {shown.length > 0 ? <LoadedHost entries={shown} /> : null}
    </TooltipContext>
  );
}

const none: readonly TooltipEntry[] = [];

type TooltipProps = {
  content: ReactNode;
  children: ReactElement;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left" | undefined;
  enabled?: boolean;
};

export function Tooltip({ content, children, shortcut, side = "top", enabled = true }: TooltipProps) {
  const entries = use(TooltipContext);
  const id = useId();
  const target = useRef<HTMLElement | null>(null);
  const handlers = useRef<TooltipHandlers>({});
  const replay = useRef<(() => void) | null>(null);
  const isKnown = useRef(false);
  const isPressed = useRef(false);
  const show = () => entries?.set({ id, target, handlers, replay, view: { content, shortcut, side, enabled } });

  useEffect(() => {
    if (isKnown.current) show();
  });
  useEffect(() => () => entries?.remove(id), [entries, id]);

  const ask = (repeat: () => void) => {
    if (isKnown.current || !enabled || entries === null) return;
    replay.current = repeat;
    isKnown.current = true;
    show();
  };
  const forget = () => {
    replay.current = null;
  };
  return (
    <Slot.Root
      ref={target}
      onPointerMove={(event) => {
        if (event.pointerType !== "touch") ask(() => handlers.current.onPointerMove?.(event));
        handlers.current.onPointerMove?.(event);
      }}
      onPointerLeave={(event) => {
        forget();
        handlers.current.onPointerLeave?.(event);
      }}
      onPointerDown={(event) => {
        forget();
        isPressed.current = true;
        document.addEventListener("pointerup", () => (isPressed.current = false), { once: true });
        handlers.current.onPointerDown?.(event);
      }}
      onFocus={(event) => {
        // A press focuses too, and shows none.
        if (!isPressed.current) ask(() => handlers.current.onFocus?.(event));
        handlers.current.onFocus?.(event);
      }}
      onBlur={(event) => {
        forget();
        handlers.current.onBlur?.(event);
      }}
      onClick={(event) => {
        forget();
        handlers.current.onClick?.(event);
      }}
    >
      {children}
    </Slot.Root>
  );
}
