import type { Metadata } from "next";
import { TokenList } from "@/components/agents/token-list";

export const metadata: Metadata = { title: "Tokens of agents" };

export default function Tokens() {
  return <TokenList />;
}
