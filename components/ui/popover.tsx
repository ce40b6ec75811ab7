"use client";

import type { MouseEvent, ReactNode } from "react";
import { deferred } from "./deferred/deferred";
import { OpenContext, type OpenProps, useOpenContext, useOpenState } from "./deferred/open-state";
import type { PopoverContentProps } from "./deferred/popover";
import { DeferredTrigger, type TriggerProps } from "./deferred/trigger";

const LoadedContent = deferred(async () => (await import("./deferred/popover")).PopoverContent);

export function Popover({ children, ...props }: OpenProps & { children: ReactNode }) {
  return <OpenContext value={useOpenState(props)}>{children}</OpenContext>;
}

/** Behaves as the trigger of Radix, whose code is loaded when the pointer or the focus reaches the button. */
export function PopoverTrigger(props: TriggerProps) {
  const { open, setOpen } = useOpenContext();
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    props.onClick?.(event);
    if (!event.defaultPrevented) setOpen(!open);
  };
  return <DeferredTrigger {...props} opens="dialog" onClick={onClick} />;
}

export function PopoverContent(props: PopoverContentProps) {
  const state = useOpenContext();
  return state.isWanted ? <LoadedContent state={state} {...props} /> : null;
}
