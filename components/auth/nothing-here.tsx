import Link from "next/link";
import { Button } from "@/components/ui/button";
import { MessagePage } from "./message-page";

/** The words of a 404, the same for what is absent and for what is hidden from this person. */
export function NothingHere() {
  return (
    <>
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
    </>
  );
}
