import type { Metadata } from "next";
import { CollectionPage } from "@/components/collections/collection-page";

type Props = { params: Promise<{ slug: string }> };

export const metadata: Metadata = { title: "Collection" };

export default async function Collection({ params }: Props) {
  return <CollectionPage slug={decodeURIComponent((await params).slug)} />;
}
