"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { agentViewQuery, type AgentView as View } from "@/lib/client/agents";
import { BudgetMeter } from "./budget-meter";
import { HiddenSkills } from "./hidden-skills";
import { OfferedTools } from "./offered-tools";
import { readViewChoice, ViewChoices } from "./view-choices";

/** What an agent is served: its preamble, what that costs, what is hidden from it and why, and its tools. */
export function AgentView() {
  const [params, setParams] = useUrlParams();
  const choice = readViewChoice(params);
  const query = useQuery(agentViewQuery(choice));
  return (
    <>
      <ViewChoices choice={choice} onChange={setParams} />
      <QueryState query={query} errorTitle="What an agent sees could not be loaded.">
        {(view) => (
          <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <Preamble view={view} isOff={choice.mode === "off"} />
            <div className="flex min-w-0 flex-col gap-6">
              <BudgetMeter budget={view.budget} />
              <HiddenSkills hidden={view.hidden} />
            </div>
            <OfferedTools view={view} className="lg:col-span-2" />
          </div>
        )}
      </QueryState>
    </>
  );
}

function Preamble({ view: { preamble, skills }, isOff }: { view: View; isOff: boolean }) {
  return (
    <Section
      title="Preamble"
      description={
        skills === 1 ? "One skill, exactly as it is served." : `${skills} skills, exactly as they are served.`
      }
      className="min-w-0"
    >
      {preamble.trim() === "" ? (
        <p className="rounded-md border px-4 py-6 text-13 text-muted-foreground">
          {isOff ? (
            "The preamble is off: the agent finds skills by list_skills."
          ) : (
            <>
              Nothing is offered. Skills appear here once they are approved and switched on, in{" "}
              <Link href="/skills" className="text-primary hover:underline">
                My skills
              </Link>
              .
            </>
          )}
        </p>
      ) : (
        <CodeBlock code={preamble} label="Preamble" wrap className="max-h-[32rem]" />
      )}
    </Section>
  );
}
