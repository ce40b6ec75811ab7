import type { ReactNode } from "react";
import { AgentsFrame } from "@/components/agents/agents-frame";

export default function AgentsLayout({ children }: { children: ReactNode }) {
  return <AgentsFrame>{children}</AgentsFrame>;
}
