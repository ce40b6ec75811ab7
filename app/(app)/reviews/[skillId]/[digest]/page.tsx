import type { Metadata } from "next";
import { ReviewPage } from "@/components/review/review-page";

type Props = { params: Promise<{ skillId: string; digest: string }> };

export const metadata: Metadata = { title: "Review" };

export default async function Review({ params }: Props) {
  const { skillId, digest } = await params;
  return <ReviewPage skillId={decodeURIComponent(skillId)} digest={digest} />;
}
