import type { Metadata } from "next";
import { ApiReference } from "@/components/api-docs/api-reference";
import { DataProviders } from "@/components/state/data-providers";

export const metadata: Metadata = { title: "API reference" };

export default function ApiDocs() {
  return (
    <DataProviders>
      <ApiReference />
    </DataProviders>
  );
}
