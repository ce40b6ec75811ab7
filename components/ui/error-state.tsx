import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { describeError } from "@/components/state/describe-error";
import { Button } from "./button";
import { cn } from "./cn";
import { CopyButton } from "./copy-button";

type ErrorStateProps = {
  error: unknown;
  title?: string;
  onRetry?: () => void;
  action?: ReactNode;
  /** It is all that the page shows, so its title is the page’s heading. */
  isPage?: boolean;
  className?: string;
};

export function ErrorState({ error, title, onRetry, action, isPage = false, className }: ErrorStateProps) {
  const Title = isPage ? "h1" : "p";
  const { what, safe, advice, requestId } = describeError(error);
  return (
    <div role="alert" className={cn("mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center", className)}>
      <TriangleAlert aria-hidden strokeWidth={1.5} className="mb-3 size-6 text-danger" />
      <Title className="font-medium text-sm">{title ?? what}</Title>
      <p className="mt-1 text-13 text-muted-foreground">
        {title ? `${what} ` : ""}
        {safe} {advice}
      </p>
      {onRetry || action ? (
        <div className="mt-4 flex flex-wrap justify-center gap-2">
          {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
          {action}
        </div>
      ) : null}
      {requestId ? (
        <p className="mt-4 flex items-center gap-1 text-muted-foreground text-xs">
          Request <code className="font-mono">{requestId}</code>
          <CopyButton value={requestId} label="Copy request id" />
        </p>
      ) : null}
    </div>
  );
}
