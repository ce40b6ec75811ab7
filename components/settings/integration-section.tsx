"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { ListSection } from "@/components/lists/list-section";
import { countOf } from "@/components/skills/skill-labels";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { useToast } from "@/components/ui/toast";
import { integrationsKey, integrationsQuery, removeIntegration, setUpIntegration } from "@/lib/client/integrations";
import { skillsKey } from "@/lib/client/skills";
import type { Integration, IntegrationEntry, IntegrationScope } from "@/lib/skills/transfer/schema";

const ownerLabels: Record<IntegrationScope, string> = { me: "For you", org: "For everyone" };

export function IntegrationSection() {
  const query = useQuery(integrationsQuery);
  return (
    <ListSection
      title="Integrations"
      description="Sets of skills from a folder of this server. After set-up, their skills are pending review; each new version is reviewed again."
      query={query}
      skeletonRows={3}
      errorTitle="The integrations could not be loaded."
      empty={{
        icon: Plug,
        title: "No integrations",
        description: query.data?.isConfigured ? (
          "The directory of integrations is empty. Add a folder with a manifest.yaml and its skills."
        ) : (
          <span className="flex flex-col items-center gap-3">
            Each is a folder with a manifest.yaml and its skills. The operator names the folder that holds them in the
            environment of the server, and starts it again:
            <CodeBlock
              code="SKILLGATE_INTEGRATIONS_DIR=/srv/integrations"
              label="Name the folder"
              language="sh"
              showLabel={false}
              wrap
              className="w-full text-left text-foreground"
            />
          </span>
        ),
      }}
    >
      {(integrations) => (
        <ul className="divide-y rounded-md border">
          {integrations.map((integration) => (
            <IntegrationRow key={integration.domain} integration={integration} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function IntegrationRow({ integration }: { integration: Integration }) {
  const { domain, name, version, description, problem, skills, entries } = integration;
  const isAdmin = useMe()?.user.role === "admin";
  const { toast } = useToast();
  const setUp = useAction((scope: IntegrationScope) => setUpIntegration({ domain, scope }), {
    refresh: [integrationsKey, skillsKey],
    onDone: () => toast({ title: `${name} is set up. Its skills are pending review.` }),
    failed: `${name} was not set up.`,
  });
  const open = (["me", ...(isAdmin ? (["org"] as const) : [])] as const).filter(
    (scope) => !entries.some((entry) => entry.scope === scope),
  );
  return (
    <li className="flex flex-col gap-2 px-4 py-3 text-13">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium">
              <RevealedText text={name} />
            </span>
            {version ? <span className="text-muted-foreground tabular-nums">{version}</span> : null}
            {problem ? <Badge tone="danger">Unreadable</Badge> : null}
          </p>
          <p className="text-muted-foreground">
            <RevealedText text={problem ?? description ?? domain} />
          </p>
          <SkillNames skills={skills} />
        </div>
        {problem ? null : (
          <div className="flex flex-wrap gap-2">
            {open.map((scope) => (
              <Button key={scope} size="sm" pending={setUp.isPending} onClick={() => setUp.mutate(scope)}>
                Set up {ownerLabels[scope].toLowerCase()}
              </Button>
            ))}
          </div>
        )}
      </div>
      {entries.map((entry) => (
        <EntryLine key={entry.scope} integration={integration} entry={entry} />
      ))}
    </li>
  );
}

function SkillNames({ skills }: Pick<Integration, "skills">) {
  if (skills.length === 0) return null;
  const usable = skills.filter(({ problem }) => problem === null).map(({ name }) => name);
  return (
    <div className="mt-0.5 flex flex-col text-muted-foreground text-xs">
      {usable.length > 0 ? <RevealedText text={usable.join(", ")} /> : null}
      {skills.map(({ name, problem }) =>
        problem === null ? null : (
          <span key={name} className="text-warning">
            <RevealedText text={`Skipped ${name}: ${problem}`} />
          </span>
        ),
      )}
    </div>
  );
}

function EntryLine({ integration, entry }: { integration: Integration; entry: IntegrationEntry }) {
  const isAdmin = useMe()?.user.role === "admin";
  const { scope, version, skills, skipped, setUpAt, setUpBy } = entry;
  const kept = skipped.filter(({ name }) => integration.skills.some((skill) => skill.name === name && !skill.problem));
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md bg-muted px-3 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p>
          {ownerLabels[scope]}
          <span className="text-muted-foreground">
            , version {version ?? "none"}, set up by <RevealedText text={setUpBy} /> <RelativeTime value={setUpAt} />
          </span>
        </p>
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
          {skills.map(({ id, name, approved, pending }) => (
            <Link
              key={id}
              href={`/skills/${encodeURIComponent(id)}`}
              className="text-primary underline underline-offset-2"
            >
              <RevealedText text={name} /> {pending ? "(pending review)" : approved ? "" : "(not approved)"}
            </Link>
          ))}
        </p>
        {kept.map(({ name, reason }) => (
          <p key={name} className="text-warning text-xs">
            <RevealedText text={reason} />
          </p>
        ))}
      </div>
      {scope === "me" || isAdmin ? (
        <ConfirmButton
          title={`Remove ${integration.name}?`}
          description={`${countOf(skills.length, "skill")} will be removed ${scope === "me" ? "for you" : "for everyone"} immediately. Their versions and runs stay in the audit log.`}
          confirmLabel="Remove integration"
          onConfirm={() => removeIntegration({ domain: integration.domain, scope })}
          refresh={[integrationsKey, skillsKey]}
        >
          Remove
        </ConfirmButton>
      ) : null}
    </div>
  );
}
