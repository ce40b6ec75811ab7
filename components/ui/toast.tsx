"use client";

import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { deferred } from "./deferred/deferred";
import type { ToastInput, ToastItem } from "./deferred/toast-list";

type ToastApi = { toast: (input: ToastInput) => void };

const LoadedList = deferred(async () => (await import("./deferred/toast-list")).ToastList);

const ToastContext = createContext<ToastApi>({ toast: refuse });
const shownAtMost = 3;

export function useToast(): ToastApi {
  return useContext(ToastContext);
}

function refuse(): never {
  throw new Error("A toast needs ToastProvider above it");
}

/** Shows the messages of its children; the list stays once there was one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<ToastItem[]>([]);
  const [hadAny, setHadAny] = useState(false);
  const nextId = useRef(1);

  const toast = useCallback((input: ToastInput) => {
    const id = nextId.current++;
    setHadAny(true);
    setItems((before) => [...before, { ...input, id }].slice(-shownAtMost));
  }, []);
  const close = useCallback((id: number) => setItems((before) => before.filter((item) => item.id !== id)), []);
  const value = useMemo(() => ({ toast }), [toast]);

  return (
    <ToastContext value={value}>
      {children}
      {hadAny ? <LoadedList items={items} onClose={close} /> : null}
    </ToastContext>
  );
}
