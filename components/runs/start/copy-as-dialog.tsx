import { Terminal } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogContent, DialogTrigger } from "@/components/ui/dialog";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { type CommandRun, curlForRun, mcpForRun, shellForRun } from "./curl-command";

type CopyAsDialogProps = {
  skill: string;
  args: Record<string, unknown>;
  confirm: boolean;
  className?: string;
};

const forms = {
  curl: { label: "curl", write: curlForRun, note: "Waits up to 30 seconds and prints the run." },
  mcp: {
    label: "MCP call",
    write: mcpForRun,
    note: "The message that an MCP client sends to call the skill as a tool. The client adds the session and the token.",
  },
  shell: {
    label: "Shell script",
    write: shellForRun,
    note: "Prints only the result and fails when the run fails. Needs jq. Accepts arguments on standard input.",
  },
} as const;

type FormName = keyof typeof forms;

export function CopyAsDialog({ className = "ml-auto", ...run }: CopyAsDialogProps) {
  const [form, setForm] = useState<FormName>("curl");
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="ghost" className={className}>
          <Terminal aria-hidden /> Copy as
        </Button>
      </DialogTrigger>
      <DialogContent
        size="lg"
        title="Copy run as"
        description={
          <>
            Set <code className="font-mono">SKILLGATE_TOKEN</code> to an{" "}
            <Link href="/settings/tokens" className="text-primary underline underline-offset-2">
              API token
            </Link>{" "}
            with the scope <code className="font-mono">run</code>.
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <SegmentedControl
            label="Format"
            value={form}
            onValueChange={setForm}
            options={(Object.keys(forms) as FormName[]).map((name) => ({ value: name, label: forms[name].label }))}
            className="self-start"
          />
          <Command form={form} run={run} />
          <p className="text-13 text-muted-foreground">{forms[form].note}</p>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** Rendered only in the open dialog, so `window` exists. */
function Command({ form, run }: { form: FormName; run: Omit<CommandRun, "origin"> }) {
  const { label, write } = forms[form];
  const code = write({ origin: window.location.origin, ...run });
  return <CodeBlock code={code} label={label} language={form === "mcp" ? "json" : "sh"} className="max-h-96" />;
}
