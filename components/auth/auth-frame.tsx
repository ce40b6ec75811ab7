import type { ReactNode } from "react";
import { Logo } from "@/components/shell/logo";

export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-sidebar">
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-[25rem] flex-1 flex-col justify-center px-4 py-10 focus:outline-none max-md:justify-start"
      >
        <p className="mb-6 flex items-center gap-2.5 font-semibold text-base tracking-tight">
          <Logo className="size-7" />
          Skillgate
        </p>
        <div className="rounded-lg border bg-background p-6 max-md:p-5">{children}</div>
        <p className="mt-6 text-muted-foreground text-xs leading-5">
          Nothing runs until a named person has approved its exact files.
        </p>
      </main>
    </div>
  );
}
