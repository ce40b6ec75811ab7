import { isSame } from "@/components/json/diff-json";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { ArgsDraft } from "./args-draft";

type EditedSinceProps = {
  draft: ArgsDraft;
  /** The arguments of the run that is shown, or that the form began with. */
  before: Record<string, unknown> | null;
  onBack: (args: Record<string, unknown>) => void;
};

/** That what would be sent now is not what that run had, and the way back. */
export function EditedSince({ draft, before, onBack }: EditedSinceProps) {
  if (before === null || (draft.problem === null && isSame(draft.value, before))) return null;
  return (
    <p className="flex basis-full items-center gap-3 text-13">
      <Badge>Edited since that run</Badge>
      <Button variant="link" onClick={() => onBack(before)}>
        Back to its arguments
      </Button>
    </p>
  );
}
