"use client";

import { ErrorMessage } from "@/components/auth/error-messages";
import { MessageArea } from "@/components/shell/page";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessageArea>
      <ErrorMessage reference={error.digest} onRetry={reset} />
    </MessageArea>
  );
}
