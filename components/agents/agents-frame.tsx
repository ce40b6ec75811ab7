"use client";

import { Plug } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { TabNav } from "@/components/ui/tab-nav";

const tabs = [
  { href: "/agents", label: "Sessions" },
  { href: "/agents/traces", label: "Traces" },
  { href: "/agents/view", label: "Agent view" },
  { href: "/agents/personas", label: "Personas" },
  { href: "/agents/tokens", label: "Tokens" },
];

export function AgentsFrame({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const tab = tabs.find(({ href }) => href === pathname && href !== "/agents");
  useCrumbs([{ label: "Agents", href: "/agents" }, ...(tab ? [{ label: tab.label }] : [])]);
  return (
    <Page
      title="Agents"
      description="What your agents are offered, what they loaded and ran, and what was refused."
      actions={
        <Button asChild>
          <Link href="/connect">
            <Plug aria-hidden />
            Connect
          </Link>
        </Button>
      }
    >
      <TabNav items={tabs} label="Agents" />
      {children}
    </Page>
  );
}
