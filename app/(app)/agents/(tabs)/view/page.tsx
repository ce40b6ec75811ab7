import type { Metadata } from "next";
import { AgentView } from "@/components/agents/agent-view";

export const metadata: Metadata = { title: "Agent view" };

export default function View() {
  return <AgentView />;
}
