import { UserRoundCheck } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { ApprovalsShown } from "@/lib/client/approvals";

const words: Record<ApprovalsShown, { title: string; description: string }> = {
  mine: {
    title: "Nothing waits for you",
    description:
      "When an agent wants to change something, or anybody asks for a dangerous run, it stops here with its exact arguments until people have decided.",
  },
  asked: {
    title: "Nothing that you asked for waits",
    description: "Runs that you or your agents asked for stand here until somebody has decided, or they expire.",
  },
  all: {
    title: "Nothing waits",
    description: "Runs that need a person’s decision stand here with their exact arguments.",
  },
};

export function NothingWaits({ show }: { show: ApprovalsShown }) {
  return (
    <EmptyState
      icon={UserRoundCheck}
      {...words[show]}
      action={
        <Button asChild>
          <Link href="/runs">View runs</Link>
        </Button>
      }
    />
  );
}
