import type { Metadata } from "next";
import Link from "next/link";
import { MessagePage } from "@/components/auth/message-page";
import { Button } from "@/components/ui/button";

export const metadata: Metadata = { title: "Not allowed" };

/** The proxy sets the status 403. */
export default function ForbiddenPage() {
  return (
    <MessagePage
      code="403"
      title="Your role does not allow this page"
      actions={
        <Button asChild variant="primary">
          <Link href="/skills">Go to my skills</Link>
        </Button>
      }
    >
      <p>Nothing was changed. Some pages are for reviewers or admins only; an admin can change your role.</p>
    </MessagePage>
  );
}
