import type { ReactNode } from "react";

type MessagePageProps = {
  /** "403", or a short word. */
  code?: string;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
};

/** What an answer page says: what happened, what is safe, what to do. Stands inside AuthFrame. */
export function MessagePage({ code, title, children, actions }: MessagePageProps) {
  return (
    <>
      {code ? <p className="mb-1 font-mono text-muted-foreground text-xs">{code}</p> : null}
      <h1>{title}</h1>
      <div className="mt-2 flex flex-col gap-2 text-muted-foreground">{children}</div>
      {actions ? <div className="mt-5 flex flex-wrap gap-2">{actions}</div> : null}
    </>
  );
}
