import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AnalysisStep, StepReport } from "@/lib/policy/analysis/schema";
import type { Analysis } from "@/lib/review/analysis/schema";
import {
  beyondText,
  countsText,
  declaredLabels,
  deedLabels,
  endText,
  isOnlyAsked,
  kindLabels,
  observedLabels,
  sentText,
  stepName,
} from "./analysis-labels";

type Finished = Extract<Analysis["state"], { kind: "finished" }>;
export type UsedGrants = Finished["used"];

type AnalysisReportProps = {
  state: Finished;
  steps: readonly AnalysisStep[];
  by: string;
  onUse?: ((used: UsedGrants) => void) | undefined;
  blindSpots: readonly string[];
};

/** A dry run’s report: deeds, declared against observed, each step, what was not executed, and what it cannot see. */
export function AnalysisReportView({ state, steps, by, onUse, blindSpots }: AnalysisReportProps) {
  const { report, compared, used, worker, expected } = state;
  const isHostile = (deed: StepReport["deeds"][number]) => !isOnlyAsked(deed) && !expected.includes(deed.what);
  const all = report.steps.flatMap((step) => step.deeds);
  const deeds = all.filter(isHostile);
  const asked = [...new Set(all.filter(isOnlyAsked).map(({ what }) => what))];
  const varying = [...new Set(report.steps.flatMap((step) => step.varying ?? []))];
  const brokenOff = report.steps.filter(({ end }) =>
    end.kind === "exited" ? end.exitCode !== 0 : end.kind !== "not_started",
  );
  const unstarted = report.steps.filter(({ end }) => end.kind === "not_started");
  return (
    <div className="flex flex-col gap-3">
      {deeds.length > 0 ? (
        <Notice tone="danger" title={deeds.length === 1 ? "1 hostile act" : `${deeds.length} hostile acts`}>
          <ul className="flex flex-col gap-1">
            {report.steps.flatMap((step) =>
              step.deeds.filter(isHostile).map(({ kind, what }) => (
                <li key={`${step.step} ${kind} ${what}`} className="[overflow-wrap:anywhere]">
                  {deedLabels[kind]}: <RevealedText text={what} />
                </li>
              )),
            )}
          </ul>
        </Notice>
      ) : (
        <p>{unstarted.length < report.steps.length ? "No hostile act was recorded." : "No step could be executed."}</p>
      )}
      {asked.length > 0 ? (
        <Notice tone="warning" title={deedLabels.asked_control}>
          <p className="[overflow-wrap:anywhere]">
            <RevealedText text={asked.join(", ")} />: the dry run does not show what the skill would have done with it.
          </p>
        </Notice>
      ) : null}
      {expected.length > 0 ? (
        <div data-fact="">
          <p>As its files say, it sent</p>
          <ul className="font-mono text-xs">
            {expected.map((what) => (
              <li key={what} className="[overflow-wrap:anywhere]">
                <RevealedText text={what} />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {varying.length > 0 ? (
        <p className="[overflow-wrap:anywhere]">
          What <RevealedText text={varying.slice(0, 10).join(", ")} />
          {varying.length > 10 ? ` and ${varying.length - 10} more` : ""} received differs each time, or was not
          compared with a dry run that has other secrets. A secret in an unusual form may be in it.
        </p>
      ) : null}
      {brokenOff.length > 0 ? (
        <p className="font-medium">
          {brokenOff.length === 1 ? "1 step" : `${brokenOff.length} steps`} ended with an error. What the rest of the
          code does is unknown.
        </p>
      ) : null}
      <p className="text-muted-foreground text-xs" data-fact="">
        Requested by {by}, executed by {worker.name} with {report.tracer}.{" "}
        {report.network === "recorder"
          ? "Its network was a recorder that answers for every host."
          : "Connections were refused, so what it would have sent is unknown."}
      </p>
      {compared.length > 0 ? <Compared lines={compared} /> : null}
      {onUse ? <UseGrants onUse={() => onUse(used)} leftOut={leftOutOf(state)} /> : null}
      <ul className="flex flex-col gap-2">
        {report.steps.map((step) => (
          <Step key={step.step} report={step} name={nameOf(steps[step.step])} />
        ))}
      </ul>
      {report.untouched.length > 0 ? (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm underline underline-offset-2">
            {report.untouched.length === 1
              ? "1 file was never opened"
              : `${report.untouched.length} files were never opened`}
          </summary>
          <ul className="mt-1 font-mono text-xs">
            {report.untouched.map((path) => (
              <li key={path} className="[overflow-wrap:anywhere]">
                <RevealedText text={path} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <details>
        <summary className="w-fit cursor-pointer rounded-sm underline underline-offset-2">What it cannot see</summary>
        <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-muted-foreground text-xs">
          {blindSpots.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

/** Hosts that it reached and that are not offered: each is the reviewer's own choice. */
function leftOutOf({ compared, used }: Finished): string[] {
  const offered: readonly string[] = Array.isArray(used.network) ? used.network : [];
  const hosts = compared.filter(({ kind, observed }) => kind === "host" && observed === "yes");
  return hosts.map(({ what }) => what).filter((what) => !offered.includes(what));
}

function UseGrants({ onUse, leftOut }: { onUse: () => void; leftOut: readonly string[] }) {
  const [isUsed, setUsed] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        size="sm"
        onClick={() => {
          setUsed(true);
          onUse();
        }}
      >
        Grant exactly what it used
      </Button>
      <span role="status" className="text-muted-foreground text-xs">
        {isUsed ? "Filled in below, under Permissions." : ""}
      </span>
      {leftOut.length > 0 ? (
        <p className="basis-full text-muted-foreground text-xs [overflow-wrap:anywhere]">
          Not included: <RevealedText text={leftOut.slice(0, 10).join(", ")} />
          {leftOut.length > 10 ? ` and ${leftOut.length - 10} more` : ""}. Add such a host under Permissions only if you
          know who owns it.
        </p>
      ) : null}
    </div>
  );
}

const nameOf = (step: AnalysisStep | undefined) => (step ? stepName(step) : "Step");

function Compared({ lines }: { lines: Finished["compared"] }) {
  return (
    <ul aria-label="Declared and observed" className="flex flex-col gap-2">
      {lines.map(({ kind, what, declared, observed }) => (
        <li key={`${kind} ${what}`} className="flex flex-col gap-1" data-fact="">
          <span className="[overflow-wrap:anywhere]">
            <span className="text-muted-foreground">{kindLabels[kind]}</span>{" "}
            <span className="font-mono text-xs">
              <RevealedText text={what} />
            </span>
          </span>
          <span className="flex flex-wrap gap-1.5">
            <Badge tone={declared === "no" ? "warning" : "neutral"}>{declaredLabels[declared]}</Badge>
            <Badge tone={observed === "yes" ? "accent" : "neutral"}>{observedLabels[observed]}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Step({ report, name }: { report: StepReport; name: string }) {
  const { end, programs, reads, writes, addresses, names, sent, lookedFor, stdout, stderr } = report;
  const left = Object.entries(report.beyond).filter(([, count]) => count > 0);
  return (
    <li data-fact="">
      <details>
        <summary className="cursor-pointer rounded-sm [overflow-wrap:anywhere]">
          <span className="font-mono text-xs">
            <RevealedText text={name} />
          </span>{" "}
          <span className="text-muted-foreground">
            <RevealedText text={endText(end)} />. {countsText(report)}.
          </span>
        </summary>
        <div className="mt-1 flex flex-col gap-2 pl-4">
          <Lines
            title="Programs"
            lines={programs.map(({ args, path, count }) => `${path}: ${args}${count > 1 ? ` (${count} times)` : ""}`)}
          />
          <Lines
            title="Files read"
            lines={reads.map(({ path, canary }) => (canary ? `${path} (planted secret)` : path))}
          />
          <Lines
            title="Files written"
            lines={writes.map(({ path, refused }) => (refused ? `${path} (refused)` : path))}
          />
          <Lines
            title="Looked for"
            lines={lookedFor.map(({ path, exists }) => (exists ? path : `${path} (not there)`))}
          />
          <Lines title="Names asked" lines={names} />
          <Lines
            title="Addresses"
            lines={addresses.map(
              ({ address, port, protocol, name }) => `${name ? `${name}, ` : ""}${address}:${port} (${protocol})`,
            )}
          />
          <Lines title="Secrets that left" lines={sent.map(sentText)} />
          <Lines title="Not listed" lines={left.map(([list, count]) => beyondText(list, count))} />
          {report.agent ? <AgentCommands agent={report.agent} /> : null}
          <Lines title="Output" lines={report.agent ? [] : stdout.split("\n").slice(-20).filter(Boolean)} />
          <Lines title="Error output" lines={stderr.split("\n").slice(-20).filter(Boolean)} />
        </div>
      </details>
    </li>
  );
}

/** Each command of an agent with its output, and why it ended. */
function AgentCommands({ agent }: { agent: NonNullable<StepReport["agent"]> }) {
  return (
    <div>
      <h4 className="text-muted-foreground text-xs">Commands of the agent</h4>
      <ol className="flex list-decimal flex-col gap-1 pl-5 text-xs">
        {agent.commands.map(({ said, command, output, exitCode }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: commands of a stored report keep their order
          <li key={index} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {said === "" ? null : <RevealedText text={`${said}\n`} />}
            <code className="font-medium font-mono">
              <RevealedText text={command} />
            </code>
            <span className="block font-mono text-muted-foreground">
              <RevealedText text={`${output.trimEnd()}\n(code ${exitCode ?? "unknown"})`} />
            </span>
          </li>
        ))}
      </ol>
      <p className="text-xs [overflow-wrap:anywhere]">
        Ended: <RevealedText text={agent.end} />
      </p>
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4 className="text-muted-foreground text-xs">{title}</h4>
      <ul className="font-mono text-xs">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a stored report keep their order
          <li key={index} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <RevealedText text={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}
