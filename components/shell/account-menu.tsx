"use client";

import { Keyboard, LogOut, MonitorX, Settings } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { signOut, signOutEverywhere } from "@/components/auth/session";
import { errorText } from "@/components/state/describe-error";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { useToast } from "@/components/ui/toast";
import type { Role } from "@/lib/client/me";
import { useShellActions } from "./shell-actions";

export type ShellUser = { name: string; email: string; role: Role };

const roleNames: Record<Role, string> = { user: "User", reviewer: "Reviewer", admin: "Admin" };

export function AccountMenu({ user }: { user: ShellUser }) {
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
            <p className="text-muted-foreground text-xs">{roleNames[user.role]}</p>
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
        description="Ends every session of yours, on all devices, this one too. Your API tokens keep working."
        confirmLabel="Sign out everywhere"
        onConfirm={signOutEverywhere}
      />
    </>
  );
}
