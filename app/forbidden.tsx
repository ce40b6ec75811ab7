import Link from "next/link";
import { AuthFrame } from "@/components/auth/auth-frame";
import { MessagePage } from "@/components/auth/message-page";
import { Button } from "@/components/ui/button";

export default function Forbidden() {
  return (
    <AuthFrame>
      <title>Not allowed · Skillgate</title>
      <MessagePage
        code="403"
        title="Your role does not allow this page"
        actions={
          <Button asChild variant="primary">
            <Link href="/skills">Go to my skills</Link>
          </Button>
        }
      >
        <p>Nothing was changed. Reviewers and admins see more; an admin can change your role.</p>
      </MessagePage>
    </AuthFrame>
  );
}
