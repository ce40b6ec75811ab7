import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogClose, DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

type SecretOnceProps = {
  secret: string;
  label: string;
  warning: string;
  children?: ReactNode;
};

export function SecretOnce({ secret, label, warning, children }: SecretOnceProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning">{warning}</Notice>
      <CodeBlock code={secret} label={label} wrap />
      {children}
    </div>
  );
}

export function SecretDialog({
  title,
  size = "lg",
  ...secret
}: SecretOnceProps & { title: string; size?: "md" | "lg" }) {
  return (
    <DialogContent
      title={title}
      size={size}
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce {...secret} />
    </DialogContent>
  );
}

export function InviteLink({ name, url }: { name: string; url: string }) {
  return (
    <SecretDialog
      title={`Invitation for ${name}`}
      size="md"
      secret={url}
      label="Invitation link"
      warning="Copy it now and send it yourself. It works once: the person who opens it sets the password."
    />
  );
}
