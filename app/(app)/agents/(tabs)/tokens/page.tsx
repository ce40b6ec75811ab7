import type { Metadata } from "next";
import { TokenList } from "@/components/agents/token-list";

export const metadata: Metadata = { title: "Agent tokens" };

export default function Tokens() {
  return <TokenList />;
}
