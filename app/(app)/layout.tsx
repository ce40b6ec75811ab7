import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { requirePageActor } from "@/lib/http/page-actor";

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const { name, email, role } = await requirePageActor();
  return <AppShell user={{ name, email, role }}>{children}</AppShell>;
}
