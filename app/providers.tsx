"use client";

import { setNonce } from "get-nonce";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { PreloadDeferred } from "@/components/ui/deferred/deferred";
import { TooltipProvider } from "@/components/ui/tooltip";

/** What every page needs; pages with data also need DataProviders. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
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
      <TooltipProvider>{children}</TooltipProvider>
      <PreloadDeferred />
    </ThemeProvider>
  );
}
