"use client";

import { useTheme } from "next-themes";
import { useState } from "react";
import { signOutEverywhere } from "@/components/auth/session";
import { themes } from "@/components/shell/theme-menu";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { DefinitionList } from "@/components/ui/definition-list";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { ChangePassword } from "./change-password";
import { ConnectedSignIns } from "./connected-sign-ins";
import { OwnQuotas } from "./quotas/own-quotas";
import { roleExplanations, roleLabels } from "./role-words";
import { SessionList } from "./session-list";
import { useIsHydrated } from "./use-is-hydrated";

export function ProfileSection() {
  const me = useMe();
  return (
    <>
      <Section title="Profile">
        {me ? (
          <DefinitionList
            items={[
              { term: "Name", value: me.user.name },
              { term: "Email", value: me.user.email },
              { term: "Role", value: `${roleLabels[me.user.role]}: ${roleExplanations[me.user.role]}` },
            ]}
          />
        ) : (
          <Skeleton className="h-16 w-80" />
        )}
        {me && me.user.role !== "admin" ? (
          <p className="text-muted-foreground text-xs">An admin can change your role.</p>
        ) : null}
        <ChangePassword />
      </Section>
      <ConnectedSignIns />
      <OwnQuotas />
      <ThemeChoice />
      <Sessions />
    </>
  );
}

function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  const isReady = useIsHydrated();
  return (
    <Section title="Theme" description="Kept in this browser.">
      <SegmentedControl
        label="Theme"
        value={isReady ? (theme ?? "system") : "system"}
        onValueChange={setTheme}
        options={themes}
        className="self-start"
      />
    </Section>
  );
}

function Sessions() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. A session lasts twelve hours."
      actions={<Button onClick={() => setAsking(true)}>Sign out everywhere</Button>}
    >
      <SessionList />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        description="Every session ends, this one too. API tokens keep working; revoke them on their own page."
        confirmLabel="Sign out everywhere"
        tone="danger"
        onConfirm={signOutEverywhere}
      />
    </Section>
  );
}
