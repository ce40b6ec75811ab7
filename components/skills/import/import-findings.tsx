import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { diagnosticOf } from "@/components/review/finding-labels";
import { Badge, type Tone } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { Section } from "@/components/ui/section";
import type { ImportPreview } from "@/lib/skills/transfer/schema";
import { ToolChips } from "../permission-list";

import { countOf, kindLabels } from "../skill-labels";

type Found = ImportPreview["skills"][number];

const effects: Record<Found["effect"], { word: string; tone: Tone; detail: string }> = {
  new: { word: "New", tone: "accent", detail: "Creates a skill that is pending review." },
  version: {
    word: "New version",
    tone: "accent",
    detail: "The approved version stays active until this one is reviewed.",
  },
  known: { word: "Unchanged", tone: "neutral", detail: "The same files are stored already. Nothing is added." },
  refused: { word: "Refused", tone: "danger", detail: "This skill cannot be imported." },
};

export function ImportFindings({ preview }: { preview: ImportPreview }) {
  return (
    <>
      {preview.diagnostics.length > 0 ? (
        <Section title="Upload warnings" level={3} className="gap-1">
          <DiagnosticList diagnostics={preview.diagnostics} />
        </Section>
      ) : null}
      {preview.skills.length === 0 ? (
        <EmptyState
          title="No skills found"
          description="A skill is a folder with a SKILL.md or a skill.json. The upload contains neither."
        />
      ) : (
        <ul className="divide-y">
          {preview.skills.map((skill) => (
            <FoundSkill key={`${skill.folder}${skill.digest}`} skill={skill} />
          ))}
        </ul>
      )}
    </>
  );
}

function FoundSkill({ skill }: { skill: Found }) {
  const effect = effects[skill.effect];
  const bytes = skill.files.reduce((sum, file) => sum + file.size, 0);
  const programs = skill.files.filter((file) => file.mode === "755").length;
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 [overflow-wrap:anywhere]">
          <RevealedText text={skill.name || skill.folder} />
        </h3>
        <Badge tone={effect.tone}>{effect.word}</Badge>
        <Badge>{kindLabels[skill.kind]}</Badge>
        <span className="ml-auto text-muted-foreground text-xs tabular-nums">
          {countOf(skill.files.length, "file")}, {formatBytes(bytes)}
          {programs > 0 ? `, ${programs} executable` : ""}
        </span>
      </div>
      <p className="line-clamp-3 text-13">
        <RevealedText text={skill.description || "No description"} />
      </p>
      {skill.entry ? (
        <p className="text-13 text-muted-foreground">
          Program: <code className="font-mono text-xs">{skill.entry}</code>
        </p>
      ) : null}
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-13 [&_dt]:text-muted-foreground">
        <dt>Class</dt>
        <dd>
          <ClassChip value={skill.proposedClass} proposed /> {sentenceOf(skill.proposedClassReason)} A reviewer decides.
        </dd>
        <dt>Tools</dt>
        <dd>
          {skill.allowedTools && skill.allowedTools.length > 0 ? (
            <ToolChips tools={skill.allowedTools} shown={8} className="flex-wrap" />
          ) : (
            "None without asking"
          )}
        </dd>
        <dt>Licence</dt>
        <dd>{skill.license ? <RevealedText text={skill.license} /> : "None stated"}</dd>
        <dt>Findings</dt>
        <dd>
          <ScanFindings skill={skill} />
        </dd>
      </dl>
      <p className="text-muted-foreground text-xs">{effect.detail}</p>
      {skill.diagnostics.length > 0 ? <DiagnosticList diagnostics={skill.diagnostics} /> : null}
    </li>
  );
}

const sentenceOf = (reason: string) => `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;

/** The scan’s findings, which are evidence and no verdict. */
function ScanFindings({ skill: { findings, moreFindings, scan, effect } }: { skill: Found }) {
  if (scan === "pending") return effect === "refused" ? "Not scanned" : "Not scanned yet. The scan follows the import.";
  return (
    <>
      {findings.length === 0 ? "None. This does not mean the skill is safe: read the source." : null}
      {findings.length > 0 ? (
        <div className="-mx-2 -my-1.5">
          <DiagnosticList diagnostics={findings.map(diagnosticOf)} />
        </div>
      ) : null}
      {moreFindings > 0 ? <p className="text-muted-foreground">and {moreFindings} more</p> : null}
      {scan === "incomplete" ? <p className="text-warning">A part could not be scanned.</p> : null}
    </>
  );
}
