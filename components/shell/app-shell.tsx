"use client";

import { type ReactNode, useMemo, useState } from "react";
import type { ShellUser } from "./account-menu";
import { Banner } from "./banner";
import { BottomBar } from "./bottom-bar";
import { CommandPalette } from "./command-palette";
import { CrumbsProvider } from "./crumbs";
import { GlobalShortcuts } from "./global-shortcuts";
import { HelpDialog } from "./help-dialog";
import { navigationFor } from "./navigation";
import { ShellActionsContext } from "./shell-actions";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";

/** What stands around each page of a signed-in person. */
export function AppShell({ user, children }: { user: ShellUser; children: ReactNode }) {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const items = useMemo(() => navigationFor(user.role), [user.role]);
  const actions = useMemo(() => ({ openPalette: () => setOpen("palette"), openHelp: () => setOpen("help") }), []);
  return (
    <ShellActionsContext value={actions}>
      <CrumbsProvider>
        <div className="flex min-h-dvh">
          <Sidebar items={items} />
          <div className="flex min-w-0 flex-1 flex-col pb-(--bottombar-height)">
            <TopBar user={user} />
            <Banner />
            <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col focus:outline-none">
              {children}
            </main>
          </div>
        </div>
        <BottomBar items={items} />
        <GlobalShortcuts items={items} />
        <CommandPalette
          open={open === "palette"}
          onOpenChange={(next) => setOpen(next ? "palette" : null)}
          items={items}
        />
        <HelpDialog open={open === "help"} onOpenChange={(next) => setOpen(next ? "help" : null)} />
      </CrumbsProvider>
    </ShellActionsContext>
  );
}
