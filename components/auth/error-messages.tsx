import { buttonStyles } from "@/components/ui/button-styles";
import { MessagePage } from "./message-page";

// Every page loads these in case it fails, so they use plain elements.

export function ErrorMessage({ reference, onRetry }: { reference: string | undefined; onRetry: () => void }) {
  return (
    <MessagePage
      code="500"
      title="This page could not be shown"
      actions={
        <>
          <button type="button" className={buttonStyles({ variant: "primary" })} onClick={onRetry}>
            Try again
          </button>
          <a href="/skills" className={buttonStyles()}>
            Go to my skills
          </a>
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
          <a href="/skills" className={buttonStyles({ variant: "primary" })}>
            Go to my skills
          </a>
        }
      >
        <p>Check the address, or ask the owner to share the page with you.</p>
      </MessagePage>
    </>
  );
}
