import type { ReactNode } from "react";

/** Where an answer page stands inside the shell. */
export function MessageArea({ children }: { children: ReactNode }) {
  return <div className="mx-auto w-full max-w-[25rem] px-4 py-16">{children}</div>;
}
