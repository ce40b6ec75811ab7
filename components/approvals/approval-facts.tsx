import { RevealedText } from "@/components/code/hidden-notice";
import { JsonView } from "@/components/json/json-view";
import { modeLabels } from "@/components/settings/persona-labels";
import { ClassChip } from "@/components/ui/class-chip";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { Section } from "@/components/ui/section";
import type { ApprovalItem } from "@/lib/runner/schema";

/** Class, requester, arguments and permissions of the run. */
export function ApprovalFacts({ item }: { item: ApprovalItem }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
        <ClassChip value={item.class} />
        <span className="font-medium">{item.classMeaning}</span>
      </p>
      <Requester asks={item.asks} reason={item.approval.reason} />
      <JsonView
        value={item.args}
        label="Arguments"
        filename={`run-${item.id}-arguments.json`}
        aside={<Digest value={item.argsDigest} label="arguments digest" />}
        wrap
      />
      <Section title="Permissions" level={3} className="gap-1.5">
        <ul className="list-disc pl-5 text-13 marker:text-muted-foreground">
          {item.touches.map((sentence) => (
            <li key={sentence} className="break-words">
              {sentence}
            </li>
          ))}
          {item.targetWorker ? <li>Runs on the worker {item.targetWorker.name}.</li> : null}
        </ul>
      </Section>
    </>
  );
}

function Requester({ asks: { person, token, persona }, reason }: { asks: ApprovalItem["asks"]; reason: string }) {
  return (
    <DefinitionList
      items={[
        { term: "Requested by", value: person.name },
        ...(token ? [{ term: "Token", value: <RevealedText text={token.name} /> }] : []),
        ...(persona
          ? [
              {
                term: "Persona",
                value: `${persona.name} (${persona.permissionMode ? modeLabels[persona.permissionMode].label : "removed since"})`,
              },
            ]
          : []),
        { term: "Reason", value: reason },
      ]}
    />
  );
}
