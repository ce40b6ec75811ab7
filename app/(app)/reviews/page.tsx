import type { Metadata } from "next";
import { ReviewQueue } from "@/components/review/review-queue";

export const metadata: Metadata = { title: "Reviews" };

export default function Reviews() {
  return <ReviewQueue />;
}
