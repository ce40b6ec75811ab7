import type { Metadata } from "next";
import { SessionList } from "@/components/agents/session-list";

export const metadata: Metadata = { title: "Agents" };

export default function Agents() {
  return <SessionList />;
}
