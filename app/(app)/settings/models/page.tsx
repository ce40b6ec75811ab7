import type { Metadata } from "next";
import { ModelSection } from "@/components/settings/model-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Models" };

export default async function Models() {
  await requirePageActor(["admin"]);
  return <ModelSection />;
}
