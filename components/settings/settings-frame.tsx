"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import type { Role } from "@/lib/client/me";
import { SettingsNav } from "./settings-nav";
import { settingsGroups } from "./settings-pages";

export function SettingsFrame({ role, children }: { role: Role; children: ReactNode }) {
  const pathname = usePathname();
  const isAdmin = role === "admin";
  const page = settingsGroups(isAdmin)
    .flatMap(({ pages }) => pages)
    .find(({ href }) => href === pathname);
  useCrumbs([{ label: "Settings", href: "/settings" }, ...(page ? [{ label: page.label }] : [])]);
  return (
    <Page title="Settings">
      <div className="grid items-start gap-x-10 gap-y-5 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <SettingsNav isAdmin={isAdmin} />
        <div className="flex min-w-0 flex-col gap-8">{children}</div>
      </div>
    </Page>
  );
}
