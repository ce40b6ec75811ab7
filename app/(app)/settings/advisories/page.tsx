import type { Metadata } from "next";
import { AdvisorySection } from "@/components/settings/advisory-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Advisories" };

export default async function Advisories() {
  await requirePageActor(["admin"]);
  return <AdvisorySection />;
}
