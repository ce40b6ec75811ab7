"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { ThemeProvider } from "next-themes";
import { type ReactNode, useState } from "react";
import { config } from "zod";
import { createQueryClient } from "@/components/state/query-client";
import { ToastProvider } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";

// Without this, zod tries to compile code, which the content security policy reports as a violation.
if (typeof window !== "undefined") config({ jitless: true });

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  // Radix inserts a style tag when it locks scrolling, and the policy requires the nonce on it.
  if (nonce && typeof window !== "undefined") setNonce(nonce);
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      storageKey="skillgate.theme"
      disableTransitionOnChange
      {...(nonce ? { nonce } : {})}
    >
      <QueryClientProvider client={queryClient}>
        <TooltipProvider delayDuration={300} skipDelayDuration={200}>
          <ToastProvider>{children}</ToastProvider>
        </TooltipProvider>
      </QueryClientProvider>
    </ThemeProvider>
  );
}
