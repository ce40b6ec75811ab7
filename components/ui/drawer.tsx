"use client";

import { deferred } from "./deferred/deferred";
import type { DrawerContentProps } from "./deferred/drawer";
import { useOpenContext } from "./deferred/open-state";
import { Dialog, DialogClose, DialogTrigger } from "./dialog";

const LoadedContent = deferred(async () => (await import("./deferred/drawer")).DrawerContent);

export const Drawer = Dialog;
export const DrawerTrigger = DialogTrigger;
export const DrawerClose = DialogClose;

export function DrawerContent(props: DrawerContentProps) {
  const state = useOpenContext();
  return state.isWanted ? <LoadedContent state={state} {...props} /> : null;
}
