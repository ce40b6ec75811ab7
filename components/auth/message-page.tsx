import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

type MessagePageProps = {
  code?: string;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
};

/** Says what happened, what is safe and what to do, inside AuthFrame or MessageArea. */
export function MessagePage({ code, title, children, actions }: MessagePageProps) {
  return (
    <>
      {code ? <p className="mb-1 font-mono text-muted-foreground text-xs">{code}</p> : null}
      <h1>{title}</h1>
      <div className="mt-2 flex flex-col gap-2 text-muted-foreground">{children}</div>
      {actions ? <div className="mt-5 flex flex-wrap gap-2">{actions}</div> : null}
    </>
  );
}

export function ErrorMessage({ reference, onRetry }: { reference: string | undefined; onRetry: () => void }) {
  return (
    <MessagePage
      code="500"
      title="This page could not be shown"
      actions={
        <>
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
          <Button asChild>
            <a href="/skills">Go to my skills</a>
          </Button>
        </>
      }
    >
      <p>The server or this page failed. Stored data is not affected.</p>
      {reference ? (
        <p>
          If it happens again, give this reference to the operator of the server:{" "}
          <code className="font-mono text-foreground text-xs">{reference}</code>
        </p>
      ) : null}
    </MessagePage>
  );
}

/** One message for absent and for hidden pages, so that it reveals nothing about hidden ones. */
export function NotFoundMessage() {
  return (
    <>
      <title>Not found · Skillgate</title>
      <MessagePage
        code="404"
        title="This page does not exist, or you may not see it"
        actions={
          <Button asChild variant="primary">
            <Link href="/skills">Go to my skills</Link>
          </Button>
        }
      >
        <p>Check the address, or ask the owner to share the page with you.</p>
      </MessagePage>
    </>
  );
}
