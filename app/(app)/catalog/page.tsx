import type { Metadata } from "next";
import { CatalogPage } from "@/components/catalog/browse/catalog-page";

export const metadata: Metadata = { title: "Catalog" };

export default function Catalog() {
  return <CatalogPage />;
}
