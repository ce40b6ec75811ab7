import { CircleCheck, CircleX } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import { JsonView } from "@/components/json/json-view";
import { modeLabels } from "@/components/settings/persona-labels";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { DefinitionList } from "@/components/ui/definition-list";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { ApprovalItem, Run } from "@/lib/runner/schema";
import { missingSignaturesText } from "./approval-labels";
import { SopLink } from "./sop-link";

type Decisions = NonNullable<Run["approval"]>["by"];

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

export function ApprovalSigning({ item }: { item: ApprovalItem }) {
  return (
    <>
      {item.sop ? (
        <Section title="Procedure" level={3} className="gap-1.5">
          <SopLink sop={item.sop} />
        </Section>
      ) : null}
      <Section title="Approvals" level={3} className="gap-1.5">
        <Signatures item={item} />
      </Section>
    </>
  );
}

function Signatures({ item }: { item: ApprovalItem }) {
  const { approval, maySign } = item;
  return (
    <div className="flex flex-col gap-2 text-13">
      {approval.by.length > 0 ? <SignatureList decisions={approval.by} /> : null}
      <p>
        {maySign.length === 0 ? (
          missingSignaturesText(approval)
        ) : (
          <>
            Needs {approval.needed - approval.given} of:{" "}
            <span className="text-muted-foreground">{maySign.map(({ name }) => name).join(", ")}</span>
          </>
        )}
      </p>
      {maySign.length < approval.needed - approval.given ? (
        <p className="text-warning">Too few people may approve this run. Ask an admin to invite another reviewer.</p>
      ) : null}
    </div>
  );
}

export function SignatureList({ decisions }: { decisions: Decisions }) {
  return (
    <ul aria-label="Decisions" className="flex flex-col gap-2">
      {decisions.map(({ person, decision, comment, soloMode, at }) => (
        <li key={person.id} className="flex items-start gap-2 text-13">
          {decision === "approve" ? (
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          ) : (
            <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          )}
          <div className="min-w-0">
            <p>
              <span className="font-medium">{person.name}</span> {decision === "approve" ? "approved" : "rejected"}{" "}
              <RelativeTime value={at} className="text-muted-foreground" />{" "}
              {soloMode ? <Badge tone="warning">Solo mode</Badge> : null}
            </p>
            {comment ? <p className="whitespace-pre-wrap break-words text-muted-foreground">{comment}</p> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
