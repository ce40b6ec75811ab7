import type { Metadata } from "next";
import { PeopleSection } from "@/components/settings/people-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "People" };

export default async function People() {
  await requirePageActor(["admin"]);
  return <PeopleSection />;
}
