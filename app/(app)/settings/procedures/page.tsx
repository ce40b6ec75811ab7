import type { Metadata } from "next";
import { SopSection } from "@/components/settings/sop-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Procedures" };

export default async function Procedures() {
  await requirePageActor(["admin"]);
  return <SopSection />;
}
