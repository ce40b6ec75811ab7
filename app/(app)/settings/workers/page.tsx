import type { Metadata } from "next";
import { WorkerSection } from "@/components/settings/worker-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Workers" };

export default async function Workers() {
  await requirePageActor(["admin"]);
  return <WorkerSection />;
}
