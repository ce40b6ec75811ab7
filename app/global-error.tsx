"use client";

import { AuthFrame } from "@/components/auth/auth-frame";
import { ErrorMessage } from "@/components/auth/error-messages";
import "./globals.css";

/** Shown when the root layout failed, so without theme and session. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Skillgate</title>
        <AuthFrame>
          <ErrorMessage reference={error.digest} onRetry={reset} />
        </AuthFrame>
      </body>
    </html>
  );
}
