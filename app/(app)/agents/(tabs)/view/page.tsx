import type { Metadata } from "next";
import { AgentView } from "@/components/agents/agent-view";

export const metadata: Metadata = { title: "What an agent sees" };

export default function View() {
  return <AgentView />;
}
