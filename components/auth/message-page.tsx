import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

type MessagePageProps = {
  /** "403", or a short word. */
  code?: string;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
};

/** What an answer page says: what happened, what is safe, what to do. Stands inside AuthFrame. */
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

type ErrorMessageProps = { reference: string | undefined; onRetry: () => void };

/** The words of a 500. */
export function ErrorMessage({ reference, onRetry }: ErrorMessageProps) {
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
      <p>Something in the server or in this page failed. What is stored is not affected.</p>
      {reference ? (
        <p>
          If it happens again, give this reference to the person who runs the server:{" "}
          <code className="font-mono text-foreground text-xs">{reference}</code>
        </p>
      ) : null}
    </MessagePage>
  );
}

/** The words of a 404, the same for what is absent and for what is hidden from this person. */
export function NotFoundMessage() {
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
