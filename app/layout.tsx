import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { SkipLink } from "@/components/shell/skip-link";
import { StartScript } from "@/components/shell/start-script";
import { Providers } from "./providers";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Skillgate", template: "%s · Skillgate" },
  description: "A self-hosted marketplace, reviewer and runner for agent skills.",
  icons: { icon: "/icon.svg" },
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#101213" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading the request makes each page dynamic, as the nonce requires.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <StartScript nonce={nonce} />
        <SkipLink />
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
