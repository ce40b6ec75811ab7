"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { settingsQuery } from "@/lib/client/settings";

/** Whether the procedures below are needed at all. */
export function SopRule() {
  const { data } = useQuery(settingsQuery);
  if (!data) return <Skeleton className="h-10" />;
  const isNeeded = data.values.dangerousNeedsSop;
  return (
    <Notice
      action={
        <Button size="sm" asChild>
          <Link href="/settings/instance">Change setting</Link>
        </Button>
      }
    >
      {isNeeded
        ? "Dangerous runs have to name a procedure here, and those who sign see it."
        : "Dangerous runs may name a procedure, but need none."}
    </Notice>
  );
}
