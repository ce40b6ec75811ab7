import type { Metadata } from "next";
import { PersonaList } from "@/components/agents/persona-list";

export const metadata: Metadata = { title: "Agent personas" };

export default function Personas() {
  return <PersonaList />;
}
