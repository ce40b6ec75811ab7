"use client";

import { type ComponentProps, type KeyboardEvent, type PointerEvent, type ReactNode, use } from "react";
import { deferred } from "./deferred/deferred";
import type { MenuContentProps } from "./deferred/menu";
import { type MenuItemProps, type MenuParts, MenuPartsContext } from "./deferred/menu-parts";
import { OpenContext, type OpenProps, useOpenContext, useOpenState } from "./deferred/open-state";
import { DeferredTrigger, type TriggerProps } from "./deferred/trigger";

const LoadedContent = deferred(async () => (await import("./deferred/menu")).MenuContent);

export function DropdownMenu({ children, ...props }: OpenProps & { children: ReactNode }) {
  return <OpenContext value={useOpenState(props)}>{children}</OpenContext>;
}

/** Behaves as the trigger of Radix, whose code is loaded when the pointer or the focus reaches the button. */
export function DropdownMenuTrigger(props: TriggerProps) {
  const { open, setOpen } = useOpenContext();

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    props.onPointerDown?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey) return;
    setOpen(!open);
    if (!open) event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    props.onKeyDown?.(event);
    if (event.defaultPrevented || !["Enter", " ", "ArrowDown"].includes(event.key)) return;
    setOpen(event.key === "ArrowDown" || !open);
    event.preventDefault();
  };
  return <DeferredTrigger {...props} opens="menu" onPointerDown={onPointerDown} onKeyDown={onKeyDown} />;
}

export function DropdownMenuContent(props: MenuContentProps) {
  const state = useOpenContext();
  return state.isWanted ? <LoadedContent state={state} {...props} /> : null;
}

function useParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === null) throw new Error("A menu item needs DropdownMenuContent above it");
  return parts;
}

/** A menu item; for a link use `asChild` with a Link. */
export function DropdownMenuItem(props: MenuItemProps) {
  const { Item } = useParts();
  return <Item {...props} />;
}

export function DropdownMenuRadioGroup(props: ComponentProps<MenuParts["RadioGroup"]>) {
  const { RadioGroup } = useParts();
  return <RadioGroup {...props} />;
}

export function DropdownMenuRadioItem(props: ComponentProps<MenuParts["RadioItem"]>) {
  const { RadioItem } = useParts();
  return <RadioItem {...props} />;
}

export function DropdownMenuLabel(props: ComponentProps<MenuParts["Label"]>) {
  const { Label } = useParts();
  return <Label {...props} />;
}

export function DropdownMenuSeparator(props: ComponentProps<MenuParts["Separator"]>) {
  const { Separator } = useParts();
  return <Separator {...props} />;
}
