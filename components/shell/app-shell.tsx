"use client";

import { Keyboard, LogOut, MonitorX, PanelLeft, Search, Settings } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { signOut, signOutEverywhere } from "@/components/auth/session";
import { roleLabels } from "@/components/settings/person-labels";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { useStoredValue, writeStored } from "@/components/state/use-stored-value";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferred } from "@/components/ui/deferred/deferred";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { useToast } from "@/components/ui/toast";
import type { Role } from "@/lib/client/me";
import { CrumbsProvider, PageBreadcrumb } from "./crumbs";
import { EarlyKeys } from "./early-keys";
import { type NavigationItem, navigationFor } from "./navigation";
import { BottomBar, Sidebar, useSidebar } from "./navigation-bars";
import { noticesFor } from "./notices";
import { ShellActionsContext, useShellActions } from "./shell-actions";
import { bannerStorageKey } from "./start-script";
import { ThemeMenu } from "./theme-menu";
import { useShortcut, useShortcutListener } from "./use-shortcut";

const NoticeBar = deferred(async () => (await import("./notice-bar")).NoticeBar);

const LoadedPalette = deferred(async () => (await import("./command-palette")).CommandPalette, <EarlyKeys />);
const LoadedHelp = deferred(async () => (await import("./help-dialog")).HelpDialog);

type ShellUser = { name: string; email: string; role: Role };

export function AppShell({ user, children }: { user: ShellUser; children: ReactNode }) {
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  const [wasOpen, setWasOpen] = useState<ReadonlySet<string>>(new Set());
  if (open !== null && !wasOpen.has(open)) setWasOpen(new Set([...wasOpen, open]));
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
        {wasOpen.has("palette") ? (
          <LoadedPalette
            open={open === "palette"}
            onOpenChange={(next) => setOpen(next ? "palette" : null)}
            items={items}
          />
        ) : null}
        {wasOpen.has("help") ? (
          <LoadedHelp open={open === "help"} onOpenChange={(next) => setOpen(next ? "help" : null)} />
        ) : null}
      </CrumbsProvider>
    </ShellActionsContext>
  );
}

/** The shortcuts that work on each page. Renders nothing. */
function GlobalShortcuts({ items }: { items: readonly NavigationItem[] }) {
  const { openPalette, openHelp } = useShellActions();
  const { toggle } = useSidebar();
  useShortcutListener();
  useShortcut("mod+k", "Search or go to", openPalette, { group: "Everywhere" });
  useShortcut("/", "Search on this page", () => focusPageSearch(openPalette), { group: "Everywhere" });
  useShortcut("[", "Collapse or expand the sidebar", toggle, { group: "Everywhere" });
  useShortcut("?", "Show keyboard shortcuts", openHelp, { group: "Everywhere" });
  return items.map((item) =>
    item.shortcut ? <GoTo key={item.href} keys={item.shortcut} label={item.label} href={item.href} /> : null,
  );
}

function GoTo({ keys, label, href }: { keys: string; label: string; href: string }) {
  const router = useRouter();
  useShortcut(keys, label, () => router.push(href), { group: "Go to" });
  return null;
}

function focusPageSearch(openPalette: () => void): void {
  const input = document.querySelector<HTMLInputElement>("[data-page-search]");
  if (!input) openPalette();
  input?.focus();
  input?.select();
}

function TopBar({ user }: { user: ShellUser }) {
  const { openPalette } = useShellActions();
  const { isCollapsed, toggle } = useSidebar();
  return (
    <header className="sticky top-0 z-30 flex h-(--topbar-height) items-center gap-1 border-b bg-background px-2 md:px-3">
      <IconButton
        label={isCollapsed ? "Expand sidebar" : "Collapse sidebar"}
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

function AccountMenu({ user }: { user: ShellUser }) {
  const [confirming, setConfirming] = useState(false);
  const { openHelp } = useShellActions();
  const { toast } = useToast();

  const leave = () => void signOut().catch((error: unknown) => toast({ title: errorText(error), tone: "danger" }));

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" aria-label={`Account of ${user.name}`} className="w-8 px-0">
            <Avatar name={user.name} />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent className="w-60">
          <div className="px-2 py-1.5 text-13">
            <p className="truncate font-medium">{user.name}</p>
            <p className="truncate text-muted-foreground text-xs" title={user.email}>
              {user.email}
            </p>
            <p className="text-muted-foreground text-xs">{roleLabels[user.role]}</p>
          </div>
          <DropdownMenuSeparator />
          <DropdownMenuItem asChild>
            <Link href="/settings">
              <Settings aria-hidden />
              Settings
            </Link>
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={openHelp} shortcut="?">
            <Keyboard aria-hidden />
            Keyboard shortcuts
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={leave}>
            <LogOut aria-hidden />
            Sign out
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setConfirming(true)}>
            <MonitorX aria-hidden />
            Sign out everywhere
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title="Sign out everywhere?"
        description="All your sessions end, including this one. Your API tokens keep working."
        confirmLabel="Sign out everywhere"
        onConfirm={signOutEverywhere}
      />
    </>
  );
}

/** Notices about the server's state in one line. A dismissal lasts for the session and for these notices only. */
function Banner() {
  const me = useMe();
  const [dismissed, setDismissed] = useStoredValue<string>("skillgate.dismissed-notices", "", "session");
  const notices = me ? noticesFor(me).filter((notice) => !dismissed.split(",").includes(notice.id)) : [];
  const isKnown = me !== undefined;
  const hasNotices = notices.length > 0;

  // The next page load reserves the line before the answer arrives.
  useEffect(() => {
    if (!isKnown) return;
    document.documentElement.toggleAttribute("data-banner", hasNotices);
    writeStored(bannerStorageKey, hasNotices ? "1" : null, "session");
  }, [isKnown, hasNotices]);

  const dismiss = () =>
    setDismissed([...dismissed.split(","), ...notices.map((notice) => notice.id)].filter(Boolean).join(","));

  return (
    <div className="in-data-banner:h-9">{hasNotices ? <NoticeBar notices={notices} onDismiss={dismiss} /> : null}</div>
  );
}
