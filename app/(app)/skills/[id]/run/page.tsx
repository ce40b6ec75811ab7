import type { Metadata } from "next";
import { RunSkillPage } from "@/components/runs/start/run-skill-page";

export const metadata: Metadata = { title: "Run" };

type PageProps = { params: Promise<{ id: string }> };

export default async function RunSkill({ params }: PageProps) {
  const { id } = await params;
  return <RunSkillPage skillId={decodeURIComponent(id)} />;
}
