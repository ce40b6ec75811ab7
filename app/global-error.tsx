"use client";

import { AuthFrame } from "@/components/auth/auth-frame";
import { ErrorMessage } from "@/components/auth/message-page";
import { TooltipProvider } from "@/components/ui/tooltip";
import "./globals.css";

/** Shown when the root layout failed, so without theme and session. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Skillgate</title>
        <TooltipProvider>
          <AuthFrame>
            <ErrorMessage reference={error.digest} onRetry={reset} />
          </AuthFrame>
        </TooltipProvider>
      </body>
    </html>
  );
}
