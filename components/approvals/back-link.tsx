import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";

/** On phones, back from a run to the list. */
export function BackLink({ href }: { href: string }) {
  return (
    <Button variant="link" asChild className="self-start px-0 lg:hidden">
      <Link href={href} scroll={false}>
        <ArrowLeft aria-hidden /> All approvals
      </Link>
    </Button>
  );
}
