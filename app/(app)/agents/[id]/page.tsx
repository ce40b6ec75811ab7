import type { Metadata } from "next";
import { SessionPage } from "@/components/agents/session-page";

export const metadata: Metadata = { title: "Agent session" };

type PageProps = { params: Promise<{ id: string }> };

export default async function Session({ params }: PageProps) {
  const { id } = await params;
  return <SessionPage sessionId={id} />;
}
