"use client";

import { useState } from "react";
import type { ConfirmDialogProps } from "./deferred/confirm-dialog";
import { deferred } from "./deferred/deferred";

const LoadedDialog = deferred(async () => (await import("./deferred/confirm-dialog")).ConfirmDialog);

/** Asks before an action; its code is loaded apart from the page. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  return wasOpen ? <LoadedDialog {...props} /> : null;
}
