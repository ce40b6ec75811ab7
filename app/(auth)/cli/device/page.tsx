import type { Metadata } from "next";
import { DeviceLoginForm } from "@/components/auth/device-login-form";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Let a program in" };

/** Where a program without a browser sends the person who has started it. */
export default async function DevicePage() {
  const { name } = await requirePageActor();
  return <DeviceLoginForm personName={name} />;
}
