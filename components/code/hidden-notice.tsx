import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { countInvisible } from "./reveal-invisible";

type HiddenNoticeProps = { text: string; onJump: (line: number) => void };

/** Says that a text hides characters, where the first is, and what its tag characters spell. */
export function HiddenNotice({ text, onJump }: HiddenNoticeProps) {
  const { count, lines, spelled } = useMemo(() => findHidden(text), [text]);
  const [first] = lines;
  if (first === undefined) return null;
  return (
    <Notice
      tone="danger"
      className="m-2"
      title={`${count} hidden ${count === 1 ? "character" : "characters"} on ${lines.length === 1 ? `line ${first}` : `${lines.length} lines`}`}
      action={
        <Button size="sm" onClick={() => onJump(first)}>
          Go to line {first}
        </Button>
      }
    >
      They are shown in boxes.{" "}
      {spelled ? <>Its tag characters spell “{spelled}”, which models read and people do not.</> : null}
    </Notice>
  );
}

function findHidden(text: string): { count: number; lines: number[]; spelled: string } {
  const lines: number[] = [];
  let count = 0;
  let spelled = "";
  text.split(/\r?\n/).forEach((line, index) => {
    const found = countInvisible(line);
    if (found.count === 0) return;
    lines.push(index + 1);
    count += found.count;
    spelled += found.spelled;
  });
  return { count, lines, spelled };
}
