"use client";

import { Button } from "@/components/ui/button";
import { MessagePage } from "./message-page";

type ErrorMessageProps = { reference: string | undefined; onRetry: () => void };

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
