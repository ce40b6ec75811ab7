"use client";

import { useQuery } from "@tanstack/react-query";
import { useTheme } from "next-themes";
import { useState, useSyncExternalStore } from "react";
import { PasswordField } from "@/components/auth/password-field";
import { signOutEverywhere } from "@/components/auth/session";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog } from "@/components/forms/form";
import { useAction } from "@/components/forms/use-action";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { themes } from "@/components/shell/theme-menu";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Dialog } from "@/components/ui/dialog";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import type { SessionInfo } from "@/lib/auth/schema";
import { changePassword, connectedSignInsQuery, endSession, sessionsQuery } from "@/lib/client/people";
import { ownQuotasQuery } from "@/lib/client/settings";
import type { QuotaUsage } from "@/lib/settings/quotas/schema";
import { ConnectedSignIns } from "./connected-sign-ins";
import { quotaLabels, roleDescriptions } from "./person-labels";
import { SshKeys } from "./ssh-keys";

const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\bOPR\//, "Opera"],
  [/\b(Headless)?Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const systems: readonly [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bMac OS X\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

const never = () => () => {};

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
              { term: "Role", value: roleDescriptions[me.user.role] },
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
      <SshKeys />
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
    <Section title="Theme" description="Saved in this browser.">
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
  return (
    <ListSection
      title="Sessions"
      description="Devices where you are signed in. A session lasts 12 hours."
      actions={
        <ConfirmButton
          size="md"
          title="Sign out everywhere?"
          description="All your sessions end, including this one. API tokens keep working; revoke them under API tokens."
          confirmLabel="Sign out everywhere"
          onConfirm={signOutEverywhere}
        >
          Sign out everywhere
        </ConfirmButton>
      }
      query={useQuery(sessionsQuery)}
      skeletonRows={2}
      errorTitle="Your sessions could not be loaded."
      empty="There are no sessions."
    >
      {(sessions) => (
        <ul className="divide-y rounded-md border">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

/** False on the server and in the first render, where browser-only values are unknown. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

function OwnQuotas() {
  return (
    <ListSection
      title="Quotas"
      description="Your limits, shared with your agents. An admin can change them."
      query={useQuery(ownQuotasQuery)}
      skeletonRows={6}
      errorTitle="The quotas could not be loaded."
    >
      {(quotas) => (
        <ul className="flex flex-col divide-y rounded-md border">
          {quotas.map((quota) => (
            <li key={quota.key} className="flex flex-col gap-1.5 px-4 py-2.5 text-13">
              <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">{quotaLabels[quota.key]}</span>
                <span className="text-muted-foreground tabular-nums">
                  <Used quota={quota} /> {quota.own ? <Badge>Custom limit</Badge> : null}
                </span>
              </span>
              {quota.limit === null ? null : (
                <ProgressBar
                  label={quotaLabels[quota.key]}
                  done={Math.min(quota.used, quota.limit)}
                  total={quota.limit}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function Used({ quota: { used, unit, limit, freesAt } }: { quota: QuotaUsage }) {
  const amount = used.toLocaleString("en");
  if (limit === null) return `${amount} used, no limit`;
  return (
    <>
      {amount} of {limit.toLocaleString("en")} {unit}
      {used >= limit && freesAt !== null ? (
        <>
          , frees up <RelativeTime value={freesAt} />
        </>
      ) : null}
    </>
  );
}

function SessionRow({ session }: { session: SessionInfo }) {
  const end = useAction(() => endSession(session.id), {
    refresh: [sessionsQuery.queryKey],
    failed: "The session was not ended.",
  });
  const device = describeUserAgent(session.userAgent);
  return (
    <li className="flex min-h-12 items-center gap-3 px-4 py-2 text-13">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium" title={session.userAgent ?? undefined}>
            {device}
          </span>
          {session.current ? <Badge tone="accent">This session</Badge> : null}
        </p>
        <p className="text-muted-foreground text-xs">
          Signed in <RelativeTime value={session.createdAt} />, last seen <RelativeTime value={session.lastSeenAt} />
          {session.address ? `, from ${session.address}` : ""}
        </p>
      </div>
      {session.current ? null : (
        <Button size="sm" pending={end.isPending} onClick={() => end.mutate()} aria-label={`Sign out ${device}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** "Firefox on macOS", as far as the user agent tells. */
function describeUserAgent(text: string | null): string {
  if (!text) return "Unknown device";
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? text.slice(0, 60);
}

/** Renders nothing for people without a password, who sign in with a provider. */
function ChangePassword() {
  const [isOpen, setOpen] = useState(false);
  const signIns = useQuery(connectedSignInsQuery);
  if (signIns.data?.hasPassword === false) return null;
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)}>
        Change password
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        {isOpen ? <PasswordForm onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { toast } = useToast();
  const form = useApiForm({
    values: { current: "", password: "" },
    schema: async () => (await import("./new-password")).NewPassword,
    send: changePassword,
    refresh: [sessionsQuery.queryKey],
    onDone: () => {
      toast({ tone: "success", title: "Your password is changed.", description: "Your other sessions have ended." });
      onDone();
    },
  });
  const { errors } = form.formState;
  const values = form.watch();
  return (
    <FormDialog
      form={form}
      title="Change password"
      description="Your other sessions end. API tokens keep working."
      action="Change password"
    >
      <PasswordField
        label="Current password"
        value={values.current}
        onChange={({ target }) => form.setValue("current", target.value)}
        autoComplete="current-password"
        error={errors.current?.message}
      />
      <PasswordField
        label="New password"
        value={values.password}
        onChange={({ target }) => form.setValue("password", target.value)}
        autoComplete="new-password"
        error={errors.password?.message}
        help="At least 12 characters."
      />
    </FormDialog>
  );
}
