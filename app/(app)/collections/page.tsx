import type { Metadata } from "next";
import { CollectionsPage } from "@/components/collections/collections-page";

export const metadata: Metadata = { title: "Collections" };

export default function Collections() {
  return <CollectionsPage />;
}
