import type { Metadata } from "next";
import { CapabilityUrlSection } from "@/components/settings/capability-url-section";
import { TokenSection } from "@/components/settings/token-section";

export const metadata: Metadata = { title: "API tokens" };

export default function Tokens() {
  return (
    <>
      <TokenSection />
      <CapabilityUrlSection />
    </>
  );
}
