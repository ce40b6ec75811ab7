import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
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

function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-80 -translate-y-16 rounded-md bg-primary px-3 py-2 font-medium text-13 text-primary-foreground focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
