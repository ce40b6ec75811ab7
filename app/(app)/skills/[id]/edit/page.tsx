import type { Metadata } from "next";
import { EditSkillPage } from "@/components/editor/edit-skill-page";

type Props = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Edit skill" };

export default async function EditSkill({ params }: Props) {
  return <EditSkillPage idOrName={decodeURIComponent((await params).id)} />;
}
