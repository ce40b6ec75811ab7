import type { Metadata } from "next";
import { NewSkillPage } from "@/components/editor/new-skill-page";

export const metadata: Metadata = { title: "New skill" };

export default function NewSkill() {
  return <NewSkillPage />;
}
