import { X } from "lucide-react";
import Link from "next/link";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import type { NotCancelled } from "./cancel-runs-bar";

type NotCancelledNoticeProps = { runs: readonly NotCancelled[]; onClose: () => void };

/** The runs that were not cancelled, each with its reason. */
export function NotCancelledNotice({ runs, onClose }: NotCancelledNoticeProps) {
  if (runs.length === 0) return null;
  return (
    <Notice
      tone="warning"
      announce
      title={runs.length === 1 ? "One run was not cancelled" : `${runs.length} runs were not cancelled`}
      action={
        <IconButton label="Close this notice" size="sm" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      }
    >
      <ul>
        {runs.map(({ run, why }) => (
          <li key={run.id}>
            <Link href={`/runs/${run.id}`} className="underline">
              {run.skill.label ?? run.skill.name}
            </Link>
            : {why}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
