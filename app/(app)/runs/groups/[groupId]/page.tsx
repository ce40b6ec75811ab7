import type { Metadata } from "next";
import { RunGroupPage } from "@/components/runs/detail/run-group-page";

export const metadata: Metadata = { title: "Runs on several edges" };

type PageProps = { params: Promise<{ groupId: string }> };

export default async function RunGroup({ params }: PageProps) {
  const { groupId } = await params;
  return <RunGroupPage groupId={groupId} />;
}
