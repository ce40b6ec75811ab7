import { TriangleAlert } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import type { CredentialGrant } from "@/lib/policy/grants/schema";
import type { ScriptEntry } from "@/lib/skill-format/entry/script-entry";
import type { CapabilityFact, CapabilityGroup } from "@/lib/skills/versions/schema";

type CapabilityCardProps = {
  groups: readonly CapabilityGroup[] | null;
  onOpen: (path: string, line: number | undefined) => void;
  credentials?: readonly CredentialGrant[] | undefined;
  entry?: ScriptEntry | null;
};

/** What a version may do; each fact links to its source line. */
export function CapabilityCard({ groups, onOpen, credentials = [], entry = null }: CapabilityCardProps) {
  if (groups === null) {
    return (
      <p role="status" className="text-13 text-muted-foreground">
        Analysis in progress. Results appear here automatically.
      </p>
    );
  }
  const silent = groups.filter(({ facts }) => facts.length === 0);
  return (
    <div className="flex flex-col gap-3 text-13">
      {groups
        .filter(({ facts }) => facts.length > 0)
        .map(({ group, title, facts, more }) => (
          <div key={group} className="flex flex-col gap-1">
            <h4 className="text-muted-foreground text-xs">{title}</h4>
            <ul className="flex flex-col gap-1">
              {facts.map((fact) => (
                <Fact key={`${fact.kind} ${fact.value} ${fact.path} ${fact.line}`} fact={fact} onOpen={onOpen} />
              ))}
              {more > 0 ? <li className="pl-6 text-muted-foreground">and {more} more</li> : null}
            </ul>
          </div>
        ))}
      {entry ? (
        <div className="flex flex-col gap-1">
          <h4 className="text-muted-foreground text-xs">Entry script</h4>
          <ul className="flex flex-col gap-1">
            <Fact fact={scriptFact(entry)} onOpen={onOpen} />
          </ul>
        </div>
      ) : null}
      {credentials.length > 0 ? (
        <div className="flex flex-col gap-1">
          <h4 className="text-muted-foreground text-xs">Credentials</h4>
          <ul className="flex flex-col gap-1">
            {credentials.map((grant) => (
              <Fact key={`${grant.as} ${grant.name}`} fact={factOf(grant)} onOpen={onOpen} />
            ))}
          </ul>
        </div>
      ) : null}
      {silent.length > 0 ? (
        <p className="text-muted-foreground" data-fact="">
          Nothing found for: {silent.map(({ title }) => title.toLowerCase()).join(", ")}.
        </p>
      ) : null}
    </div>
  );
}

function scriptFact({ path, call }: ScriptEntry): CapabilityFact {
  const how = call.style === "argv" ? "with command-line arguments" : "with its arguments as JSON on standard input";
  return { kind: "entry", value: path, fact: `Runs start ${path} ${how}.`, tone: "stands-out", path, line: 1 };
}

function factOf({ credential, as, name }: CredentialGrant): CapabilityFact {
  const fact = `Gets the credential ${credential} as the ${as === "env" ? "variable" : "file"} ${name}.`;
  return { kind: "credential", value: name, fact, tone: "stands-out", path: null, line: null };
}

function Fact({ fact, onOpen }: { fact: CapabilityFact; onOpen: CapabilityCardProps["onOpen"] }) {
  const { path, line, tone } = fact;
  return (
    <li className="flex items-start gap-2" data-fact={tone}>
      <span className="flex h-5 w-4 shrink-0 items-center justify-center">
        {tone === "stands-out" ? (
          <TriangleAlert aria-hidden className="size-4 text-warning" />
        ) : (
          <span aria-hidden className="size-1 rounded-full bg-muted-foreground" />
        )}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className={tone === "stands-out" ? "font-medium" : ""}>
          {tone === "stands-out" ? <span className="sr-only">Important: </span> : null}
          <RevealedText text={fact.fact} />
        </span>
        {path ? (
          <button
            type="button"
            onClick={() => onOpen(path, line ?? undefined)}
            className="ml-1.5 rounded-sm font-mono text-muted-foreground text-xs underline underline-offset-4 hover:text-foreground"
          >
            <RevealedText text={path} />
            {line ? `:${line}` : ""}
          </button>
        ) : null}
      </span>
    </li>
  );
}
