"use client";

import * as Slot from "radix-ui/slot";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { deferred } from "./deferred/deferred";
import type { DialogContentProps } from "./deferred/dialog";
import { OpenContext, type OpenProps, useOpenContext, useOpenState } from "./deferred/open-state";

const LoadedContent = deferred(async () => (await import("./deferred/dialog")).DialogContent);

/** A dialog or a drawer, whose code is loaded apart from the page. */
export function Dialog({ children, ...props }: OpenProps & { children: ReactNode }) {
  return <OpenContext value={useOpenState(props)}>{children}</OpenContext>;
}

type DialogButtonProps = ComponentProps<"button"> & { asChild?: boolean };

export function DialogTrigger(props: DialogButtonProps) {
  const { open, setOpen, contentId } = useOpenContext();
  const aria = {
    "aria-haspopup": "dialog",
    "aria-expanded": open,
    "aria-controls": open ? contentId : undefined,
  } as const;
  return <DialogButton {...aria} {...props} setOpen={() => setOpen(!open)} />;
}

export function DialogClose(props: DialogButtonProps) {
  const { setOpen } = useOpenContext();
  return <DialogButton {...props} setOpen={() => setOpen(false)} />;
}

function DialogButton({ asChild = false, setOpen, ...props }: DialogButtonProps & { setOpen: () => void }) {
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    props.onClick?.(event);
    if (!event.defaultPrevented) setOpen();
  };
  if (asChild) return <Slot.Root {...props} onClick={onClick} />;
  return <button type="button" {...props} onClick={onClick} />;
}

export function DialogContent(props: DialogContentProps) {
  const state = useOpenContext();
  return state.isWanted ? <LoadedContent state={state} {...props} /> : null;
}
