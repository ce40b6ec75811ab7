"use client";

import { AuthFrame } from "@/components/auth/auth-frame";
import { ErrorMessage } from "@/components/auth/error-messages";

export default function RootError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <AuthFrame>
      <ErrorMessage reference={error.digest} onRetry={reset} />
    </AuthFrame>
  );
}
