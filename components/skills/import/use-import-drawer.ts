"use client";

import { useCallback, useEffect, useState } from "react";
import { importEvent } from "@/components/shell/shell-actions";
import { useUrlParams } from "@/components/state/use-url-params";
import type { PickedFile } from "./dropped-files";

type Pick = { id: number; files: Promise<PickedFile[]> } | null;
export type ImportDrawerState = {
  isOpen: boolean;
  pick: Pick;
  open: () => void;
  close: () => void;
  take: (files: Promise<PickedFile[]>) => void;
};

let nextPick = 1;

/** The drawer's state; it also opens for the command palette and for `?import=1`. */
export function useImportDrawer(): ImportDrawerState {
  const [params, setParams] = useUrlParams();
  const [isOpen, setOpen] = useState(false);
  const [pick, setPick] = useState<Pick>(null);
  const asked = params.get("import") === "1";

  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => {
    setOpen(false);
    setPick(null);
  }, []);
  const take = useCallback((files: Promise<PickedFile[]>) => {
    setPick({ id: nextPick++, files });
    setOpen(true);
  }, []);

  useEffect(() => {
    window.addEventListener(importEvent, open);
    return () => window.removeEventListener(importEvent, open);
  }, [open]);
  useEffect(() => {
    if (!asked) return;
    setParams({ import: null });
    open();
  }, [asked, setParams, open]);

  return { isOpen, pick, open, close, take };
}
