import type { Metadata } from "next";
import { TokenSection } from "@/components/settings/token-section";

export const metadata: Metadata = { title: "API tokens" };

export default function Tokens() {
  return <TokenSection />;
}
