import type { ReactNode } from "react";
import { SettingsFrame } from "@/components/settings/settings-frame";
import { requirePageActor } from "@/lib/http/page-actor";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { role } = await requirePageActor();
  return <SettingsFrame role={role}>{children}</SettingsFrame>;
}
