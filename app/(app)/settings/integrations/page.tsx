import type { Metadata } from "next";
import { IntegrationSection } from "@/components/settings/integration-section";

export const metadata: Metadata = { title: "Integrations" };

export default function Integrations() {
  return <IntegrationSection />;
}
