import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { DataProviders } from "@/components/state/data-providers";
import { requirePageActor } from "@/lib/http/page-actor";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const { name, email, role } = await requirePageActor();
  return (
    <DataProviders>
      <AppShell user={{ name, email, role }}>{children}</AppShell>
    </DataProviders>
  );
}
