import { createContext, type RefObject, use, useCallback, useId, useMemo, useRef, useState } from "react";

export type OpenProps = { open?: boolean; onOpenChange?: (open: boolean) => void };

export type OpenState = {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Whether the content has to be in the page: open once, or about to be. */
  isWanted: boolean;
  want: () => void;
  triggerRef: RefObject<HTMLElement | null>;
  triggerId: string;
  contentId: string;
};

export const OpenContext = createContext<OpenState | null>(null);

/** State of a menu, popover or dialog; controlled when `open` is given. */
export function useOpenState({ open: given, onOpenChange }: OpenProps): OpenState {
  const [own, setOwn] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const triggerRef = useRef<HTMLElement | null>(null);
  const id = useId();
  const open = given ?? own;
  const setOpen = useCallback(
    (next: boolean) => {
      setOwn(next);
      onOpenChange?.(next);
    },
    [onOpenChange],
  );
  const want = useCallback(() => setWanted(true), []);
  if (open && !isWanted) setWanted(true);
  return useMemo(
    () => ({ open, setOpen, isWanted, want, triggerRef, triggerId: `${id}-trigger`, contentId: `${id}-content` }),
    [open, setOpen, isWanted, want, id],
  );
}

export function useOpenContext(): OpenState {
  const state = use(OpenContext);
  if (state === null) throw new Error("This part needs its menu, popover or dialog above it");
  return state;
}
