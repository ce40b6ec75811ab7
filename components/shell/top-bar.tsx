"use client";

import { PanelLeft, Search } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { AccountMenu, type ShellUser } from "./account-menu";
import { PageBreadcrumb } from "./crumbs";
import { useShellActions } from "./shell-actions";
import { ThemeMenu } from "./theme-menu";
import { useSidebar } from "./use-sidebar";

export function TopBar({ user }: { user: ShellUser }) {
  const { openPalette } = useShellActions();
  const { isCollapsed, toggle } = useSidebar();
  return (
    <header className="sticky top-0 z-30 flex h-(--topbar-height) items-center gap-1 border-b bg-background px-2 md:px-3">
      <IconButton
        label={isCollapsed ? "Widen sidebar" : "Narrow sidebar"}
        shortcut="["
        side="bottom"
        className="text-muted-foreground max-md:hidden"
        onClick={toggle}
      >
        <PanelLeft aria-hidden strokeWidth={1.75} />
      </IconButton>
      <PageBreadcrumb />
      <button
        type="button"
        onClick={openPalette}
        className="mr-1 flex h-8 w-64 items-center gap-2 rounded-md border bg-muted pr-1.5 pl-2.5 text-13 text-muted-foreground hover:text-foreground max-lg:hidden"
      >
        <Search aria-hidden className="size-4" />
        Search or go to
        <Kbd keys="mod+k" className="ml-auto" />
      </button>
      <IconButton label="Search or go to" shortcut="mod+k" side="bottom" className="lg:hidden" onClick={openPalette}>
        <Search aria-hidden />
      </IconButton>
      <ThemeMenu />
      <AccountMenu user={user} />
    </header>
  );
}
