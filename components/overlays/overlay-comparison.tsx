import { diffWordsWithSpace } from "diff";
import { RevealedText } from "@/components/code/hidden-notice";
import type { SkillOverlay } from "@/lib/agent/overlays/schema";

export function OverlayComparison({ before, after }: { before: SkillOverlay["before"]; after: SkillOverlay["after"] }) {
  let offset = 0;
  const parts = diffWordsWithSpace(before.description, after.description).map((part) => {
    offset += part.value.length;
    return { ...part, key: `${offset}${part.added ? "+" : part.removed ? "-" : ""}` };
  });
  const isSame = before.description === after.description;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 md:grid-cols-2">
        <Side title="Description before">
          {parts.map((part) =>
            part.added ? null : <DiffText key={part.key} text={part.value} mark={part.removed ? "del" : null} />,
          )}
        </Side>
        <Side title={isSame ? "Description after (unchanged)" : "Description after"}>
          {parts.map((part) =>
            part.removed ? null : <DiffText key={part.key} text={part.value} mark={part.added ? "ins" : null} />,
          )}
        </Side>
      </div>
      {after.fewShot.length > 0 ? (
        <Side title={`Examples (${after.fewShot.length}; before: ${before.fewShot.length})`}>
          <ol className="flex flex-col gap-2">
            {after.fewShot.map(({ input, output }) => (
              <li key={`${input}\n${output}`} className="grid gap-x-3 gap-y-1 md:grid-cols-2">
                <pre className="overflow-auto whitespace-pre-wrap rounded-md bg-muted px-2 py-1 font-mono text-xs [overflow-wrap:anywhere]">
                  <RevealedText text={input} />
                </pre>
                <pre className="max-h-40 overflow-auto whitespace-pre-wrap rounded-md bg-muted px-2 py-1 font-mono text-xs [overflow-wrap:anywhere]">
                  <RevealedText text={output} />
                </pre>
              </li>
            ))}
          </ol>
        </Side>
      ) : null}
    </div>
  );
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <h4 className="text-muted-foreground text-xs">{title}</h4>
      <div className="text-13 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

function DiffText({ text, mark }: { text: string; mark: "ins" | "del" | null }) {
  if (mark === null) return <RevealedText text={text} />;
  const Mark = mark;
  return (
    <Mark className={mark === "ins" ? "bg-success-soft no-underline" : "bg-danger-soft"}>
      <RevealedText text={text} />
    </Mark>
  );
}
