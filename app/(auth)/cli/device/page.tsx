import type { Metadata } from "next";
import { DeviceLoginForm } from "@/components/auth/device-login-form";
import { DataProviders } from "@/components/state/data-providers";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Authorise a program" };

/** The page where a person authorises a program that has no browser. */
export default async function DevicePage() {
  const { name } = await requirePageActor();
  return (
    <DataProviders>
      <DeviceLoginForm personName={name} />
    </DataProviders>
  );
}
