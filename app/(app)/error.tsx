"use client";

import { ErrorMessage } from "@/components/auth/error-message";
import { MessageArea } from "@/components/shell/message-area";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessageArea>
      <ErrorMessage reference={error.digest} onRetry={reset} />
    </MessageArea>
  );
}
