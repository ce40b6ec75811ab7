import type { Metadata } from "next";
import { InstanceTrustSection } from "@/components/settings/instance-trust-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Other instances" };

export default async function OtherInstances() {
  await requirePageActor(["admin"]);
  return <InstanceTrustSection />;
}
