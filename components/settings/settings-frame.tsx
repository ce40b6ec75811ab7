"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { TabNav } from "@/components/ui/tab-nav";
import type { Role } from "@/lib/client/me";

const ownTabs = [
  { href: "/settings", label: "Profile" },
  { href: "/settings/tokens", label: "API tokens" },
  { href: "/settings/integrations", label: "Integrations" },
];
const serverTabs = [
  { href: "/settings/catalog", label: "Skill catalog" },
  { href: "/settings/reports", label: "Reports" },
  { href: "/settings/people", label: "People" },
  { href: "/settings/personas", label: "Personas" },
  { href: "/settings/procedures", label: "Procedures" },
  { href: "/settings/credentials", label: "Credentials" },
  { href: "/settings/models", label: "Models" },
  { href: "/settings/workers", label: "Workers" },
  { href: "/settings/instance", label: "This server" },
  { href: "/settings/system", label: "System" },
];

export function SettingsFrame({ role, children }: { role: Role; children: ReactNode }) {
  const pathname = usePathname();
  const section = [...ownTabs, ...serverTabs].find(({ href }) => href === pathname);
  useCrumbs([{ label: "Settings", href: "/settings" }, ...(section ? [{ label: section.label }] : [])]);
  return (
    <Page title="Settings" className="max-w-[1080px]">
      <TabNav label="Settings" items={role === "admin" ? [...ownTabs, ...serverTabs] : ownTabs} />
      <div className="flex flex-col gap-8 pt-2">{children}</div>
    </Page>
  );
}
