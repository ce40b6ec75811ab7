import type { Metadata } from "next";
import { ReportSection } from "@/components/settings/report-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Reports" };

export default async function Reports() {
  await requirePageActor(["admin"]);
  return <ReportSection />;
}
