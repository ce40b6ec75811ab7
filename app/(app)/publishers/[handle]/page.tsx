import type { Metadata } from "next";
import { PublisherPage } from "@/components/publishers/publisher-page";

type Props = { params: Promise<{ handle: string }> };

export const metadata: Metadata = { title: "Publisher" };

export default async function Publisher({ params }: Props) {
  return <PublisherPage handle={decodeURIComponent((await params).handle)} />;
}
