import {
  createContext,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from "react";

/** What Radix listens to on the element of a tooltip. */
export type TooltipHandlers = {
  onPointerMove?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
};

export type TooltipView = {
  content: ReactNode;
  shortcut: string | undefined;
  side: "top" | "right" | "bottom" | "left";
  enabled: boolean;
};

export type TooltipEntry = {
  id: string;
  target: RefObject<HTMLElement | null>;
  /** Set by the host once it listens. */
  handlers: RefObject<TooltipHandlers>;
  /** Repeats the event that asked for the tooltip before the host listened. */
  replay: RefObject<(() => void) | null>;
  view: TooltipView;
};

/** The tooltips that were asked for, by hover or focus; the host shows them. */
export function createTooltipEntries() {
  const entries = new Map<string, TooltipEntry>();
  const listeners = new Set<() => void>();
  let list: readonly TooltipEntry[] = [];
  const changed = () => {
    list = [...entries.values()];
    for (const listener of listeners) listener();
  };
  return {
    set(entry: TooltipEntry): void {
      entries.set(entry.id, entry);
      changed();
    },
    remove(id: string): void {
      if (entries.delete(id)) changed();
    },
    list: () => list,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const TooltipContext = createContext<ReturnType<typeof createTooltipEntries> | null>(null);
