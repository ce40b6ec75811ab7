import { RevealedText } from "@/components/code/hidden-notice";
import type { SkippedFolder } from "@/lib/catalog/sources/schema";
import { folderLabel } from "../catalog-labels";

export function SkippedList({ skipped }: { skipped: readonly SkippedFolder[] }) {
  const groups = groupByReason(skipped);
  return (
    <ul className="flex flex-col gap-3 text-13">
      {[...groups].map(([reason, folders]) => (
        <li key={reason}>
          <p>
            <RevealedText text={reason} /> <code className="text-muted-foreground text-xs">{folders[0]?.code}</code>
          </p>
          <ul className="mt-1 border-l-2 pl-3 text-muted-foreground">
            {folders.map(({ folder }) => (
              <li key={folder} className="font-mono text-xs [overflow-wrap:anywhere]">
                <RevealedText text={folderLabel(folder)} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function groupByReason(skipped: readonly SkippedFolder[]): Map<string, SkippedFolder[]> {
  const groups = new Map<string, SkippedFolder[]>();
  for (const folder of skipped) groups.set(folder.reason, [...(groups.get(folder.reason) ?? []), folder]);
  return groups;
}
