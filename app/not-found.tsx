import Link from "next/link";
import { AuthFrame } from "@/components/auth/auth-frame";
import { MessagePage } from "@/components/auth/message-page";
import { Button } from "@/components/ui/button";

export default function NotFound() {
  return (
    <AuthFrame>
      <title>Not found · Skillgate</title>
      <MessagePage
        code="404"
        title="There is nothing here that you may see"
        actions={
          <Button asChild variant="primary">
            <Link href="/skills">Go to my skills</Link>
          </Button>
        }
      >
        <p>The address may be wrong, the thing may be gone, or its owner has not shared it with you.</p>
      </MessagePage>
    </AuthFrame>
  );
}
