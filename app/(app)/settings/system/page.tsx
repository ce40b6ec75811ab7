import type { Metadata } from "next";
import { SystemSection } from "@/components/settings/system-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "System" };

export default async function System() {
  await requirePageActor(["admin"]);
  return <SystemSection />;
}
