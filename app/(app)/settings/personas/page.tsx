import type { Metadata } from "next";
import { PersonaSection } from "@/components/settings/persona-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Personas" };

export default async function Personas() {
  await requirePageActor(["admin"]);
  return <PersonaSection />;
}
