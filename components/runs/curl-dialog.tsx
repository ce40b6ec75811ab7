"use client";

import { Terminal } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { curlForRun } from "./curl-command";

type CurlDialogProps = { skill: string; args: Record<string, unknown>; confirm: boolean };

export function CurlDialog({ skill, args, confirm }: CurlDialogProps) {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="ghost" className="ml-auto">
          <Terminal aria-hidden /> curl
        </Button>
      </DialogTrigger>
      <DialogContent
        size="lg"
        title="The same run from a terminal"
        description={
          <>
            It waits up to 30 seconds for the result. <code className="font-mono">SKILLGATE_TOKEN</code> holds an{" "}
            <Link href="/settings/tokens" className="text-primary underline underline-offset-2">
              API token
            </Link>{" "}
            with the scope run.
          </>
        }
      >
        <Command skill={skill} args={args} confirm={confirm} />
      </DialogContent>
    </Dialog>
  );
}

/** Mounted with the open dialog alone, so the address is always a browser's. */
function Command(props: CurlDialogProps) {
  return (
    <CodeBlock code={curlForRun({ origin: window.location.origin, ...props })} label="curl" className="max-h-96" />
  );
}
