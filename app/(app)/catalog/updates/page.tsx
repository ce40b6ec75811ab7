import type { Metadata } from "next";
import { UpdatesPage } from "@/components/catalog/updates/updates-page";

export const metadata: Metadata = { title: "Updates" };

export default function CatalogUpdates() {
  return <UpdatesPage />;
}
