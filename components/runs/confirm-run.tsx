import { ClassChip } from "@/components/ui/class-chip";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Skill } from "@/lib/skills/schema";

type ConfirmRunProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  skill: Pick<Skill, "name" | "label" | "class">;
  args: Record<string, unknown>;
  onConfirm: () => Promise<unknown>;
};

/** What changes things is run only after a second look at the exact arguments. */
export function ConfirmRun({ open, onOpenChange, skill, args, onConfirm }: ConfirmRunProps) {
  const name = skill.label ?? skill.name;
  const isDangerous = skill.class === "dangerous";
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Run ${name} with these arguments?`}
      description={
        <span className="flex items-start gap-2">
          <ClassChip value={skill.class} />
          {isDangerous
            ? "It may do harm that cannot be undone. The audit log names you."
            : "It changes something. The audit log names you."}
        </span>
      }
      confirmLabel={`Run ${name}`}
      tone={isDangerous ? "danger" : "primary"}
      onConfirm={onConfirm}
    >
      <CodeBlock code={JSON.stringify(args, null, 2)} label="Arguments" className="max-h-64" />
    </ConfirmDialog>
  );
}
