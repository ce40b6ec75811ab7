import type { Metadata } from "next";
import { SkillPage } from "@/components/skills/detail/skill-page";

type Props = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Skill" };

export default async function Skill({ params }: Props) {
  return <SkillPage idOrName={decodeURIComponent((await params).id)} />;
}
