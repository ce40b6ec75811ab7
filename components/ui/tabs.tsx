"use client";

import * as RadixTabs from "radix-ui/tabs";
import type { ComponentProps } from "react";
import { cn } from "./cn";

export const tabListStyles = "flex gap-4 overflow-x-auto border-b [scrollbar-width:none]";
export const tabStyles =
  "-mb-px relative inline-flex h-9 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-13 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 data-[active=true]:border-primary data-[state=active]:border-primary data-[active=true]:font-medium data-[state=active]:font-medium data-[active=true]:text-foreground data-[state=active]:text-foreground [&_svg]:size-4";

/** Give `value` and `onValueChange` from `useUrlState("tab", "overview")` to keep the tab in the address. */
export const Tabs = RadixTabs.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof RadixTabs.List> & { "aria-label": string }) {
  return <RadixTabs.List className={cn(tabListStyles, className)} {...props} />;
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof RadixTabs.Trigger>) {
  return <RadixTabs.Trigger className={cn(tabStyles, className)} {...props} />;
}

export function TabsContent({ className, ...props }: ComponentProps<typeof RadixTabs.Content>) {
  return <RadixTabs.Content className={cn("pt-4", className)} {...props} />;
}
