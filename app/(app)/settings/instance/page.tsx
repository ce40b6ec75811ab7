import type { Metadata } from "next";
import { InstanceSection } from "@/components/settings/instance/instance-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "This server" };

export default async function Instance() {
  await requirePageActor(["admin"]);
  return <InstanceSection />;
}
