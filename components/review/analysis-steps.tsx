import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { Textarea } from "@/components/ui/textarea";
import type { AnalysisStep } from "@/lib/policy/analysis/schema";
import type { AnalysisList } from "@/lib/review/analysis/schema";
import { argumentsText, stepName, withArguments } from "./analysis-labels";

const FIELD_LABELS = {
  entry: "Arguments (JSON)",
  script: "Arguments (one per line)",
  command: "Command",
  agent: "Task of the agent",
} as const;

type AnalysisStepsProps = {
  plan: AnalysisList["plan"];
  isBusy: boolean;
  onStart: (steps: AnalysisStep[]) => void;
};

type Draft = { step: AnalysisStep; text: string; isChosen: boolean };

/** The steps of a new dry run, which the reviewer can leave out or give other arguments. */
export function AnalysisSteps({ plan, isBusy, onStart }: AnalysisStepsProps) {
  const [drafts, setDrafts] = useState<Draft[]>(() => {
    const draft = (step: AnalysisStep, isChosen: boolean) => ({ step, text: argumentsText(step), isChosen });
    // Asks a model, which costs: only when a reviewer chooses it.
    return [...plan.steps.map((step) => draft(step, true)), ...(plan.agent ? [draft(plan.agent, false)] : [])];
  });
  const change = (index: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((draft, at) => (at === index ? { ...draft, ...part } : draft)));
  const chosen = drafts.filter(({ isChosen }) => isChosen);
  const steps = chosen.flatMap(({ step, text }) => withArguments(step, text) ?? []);
  const isWrong = steps.length < chosen.length;
  return (
    <div className="mt-2 flex flex-col gap-3">
      <p className="text-muted-foreground text-xs">
        Each step runs in a sandbox of its own, with planted secrets and no way out. Nothing it does reaches this
        organisation, and nothing is approved.
        {plan.leftOut > 0 ? ` ${plan.leftOut} more steps do not fit.` : ""}
      </p>
      {drafts.map(({ step, text, isChosen }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan keep their order
        <div key={index} className="flex flex-col gap-1">
          <div className="flex items-start gap-2">
            <Checkbox
              id={`dry-run-step-${index}`}
              checked={isChosen}
              onCheckedChange={(checked) => change(index, { isChosen: checked === true })}
            />
            <Label htmlFor={`dry-run-step-${index}`} className="font-mono text-xs [overflow-wrap:anywhere]">
              {stepName(step)}
            </Label>
          </div>
          {isChosen ? (
            <Field
              label={FIELD_LABELS[step.kind]}
              error={withArguments(step, text) === null ? "Enter a JSON object, such as {}." : undefined}
            >
              <Textarea
                rows={Math.min(4, text.split("\n").length)}
                className="font-mono text-xs"
                spellCheck={false}
                value={text}
                onChange={(event) => change(index, { text: event.target.value })}
              />
            </Field>
          ) : null}
        </div>
      ))}
      <Button
        className="w-fit"
        pending={isBusy}
        disabled={isBusy || isWrong || steps.length === 0}
        onClick={() => onStart(steps)}
      >
        Start dry run
      </Button>
    </div>
  );
}
