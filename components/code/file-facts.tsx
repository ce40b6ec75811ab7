import { Badge } from "@/components/ui/badge";
import { formatBytes } from "@/components/ui/format-bytes";
import { RevealedText } from "./hidden-notice";

type FileFactsProps = { file: { path: string; mode: "644" | "755"; size: number } };

/** Which file it is, whether it can be run, and how large it is: the start of a line. */
export function FileFacts({ file }: FileFactsProps) {
  return (
    <>
      <RevealedText text={file.path} className="min-w-0 font-medium font-mono text-xs [overflow-wrap:anywhere]" />
      {file.mode === "755" ? (
        <Badge tone="warning" title="Mode 755: it can be run as a program">
          executable
        </Badge>
      ) : null}
      <span className="text-muted-foreground text-xs tabular-nums">{formatBytes(file.size)}</span>
    </>
  );
}
