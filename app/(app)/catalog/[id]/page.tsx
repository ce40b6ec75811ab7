import type { Metadata } from "next";
import { EntryPage } from "@/components/catalog/entry/entry-page";

type Props = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Catalog entry" };

export default async function CatalogEntry({ params }: Props) {
  return <EntryPage id={decodeURIComponent((await params).id)} />;
}
