import type { Metadata } from "next";
import { RunPage } from "@/components/runs/detail/run-page";

export const metadata: Metadata = { title: "Run" };

type PageProps = { params: Promise<{ id: string }> };

export default async function Run({ params }: PageProps) {
  const { id } = await params;
  return <RunPage runId={id} />;
}
