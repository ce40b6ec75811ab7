import type { Metadata } from "next";
import { SkillsPage } from "@/components/skills/list/skills-page";

export const metadata: Metadata = { title: "My skills" };

export default function Skills() {
  return <SkillsPage />;
}
