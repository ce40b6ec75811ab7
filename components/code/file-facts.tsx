import { Badge } from "@/components/ui/badge";
import { formatBytes } from "@/components/ui/format-bytes";
import { RevealedText } from "./hidden-notice";

type FileFactsProps = { file: { path: string; mode: "644" | "755"; size: number } };

export function FileFacts({ file }: FileFactsProps) {
  return (
    <>
      <RevealedText text={file.path} className="min-w-0 font-medium font-mono text-xs [overflow-wrap:anywhere]" />
      {file.mode === "755" ? <Badge title="Mode 755: the file can be run as a program">executable</Badge> : null}
      <span className="text-muted-foreground text-xs tabular-nums">{formatBytes(file.size)}</span>
    </>
  );
}
