import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Notice } from "@/components/ui/notice";

type SecretOnceProps = {
  secret: string;
  /** "Token" */
  label: string;
  /** "Copy it now: …" */
  warning: string;
  children?: ReactNode;
};

/** Something that is shown this once. */
export function SecretOnce({ secret, label, warning, children }: SecretOnceProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning">{warning}</Notice>
      <CodeBlock code={secret} label={label} wrap />
      {children}
    </div>
  );
}
