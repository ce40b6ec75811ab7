import { useQuery } from "@tanstack/react-query";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Section } from "@/components/ui/section";
import type { CatalogSource, SourceKind } from "@/lib/catalog/sources/schema";
import { createWebhook, deleteWebhook, webhookQuery } from "@/lib/client/catalog";

const SIGNED = "HMAC-SHA256 key for the header X-Hub-Signature-256: sha256=<hex>";

/** Where the host's form takes the secret. */
const SECRET_FIELDS: Record<SourceKind, string> = {
  github: "Secret",
  gitlab: "Secret token",
  gitea: "Secret",
  bitbucket: "Secret",
  azure: "Basic authentication password",
  git: SIGNED,
  clawhub: SIGNED,
  index: SIGNED,
  marketplace: SIGNED,
  skillgate: SIGNED,
};

/** The address and secret with which the host of a source reports changes. */
export function WebhookSection({ source }: { source: Pick<CatalogSource, "id" | "label" | "kind"> }) {
  const query = useQuery(webhookQuery(source.id));
  const refresh = [webhookQuery(source.id).queryKey];
  const create = useAction(() => createWebhook(source.id), { refresh, failed: "No secret was made." });
  const { data } = query;
  return (
    <Section
      title="Webhook"
      description="The host reports each push to this address, and a sync begins. Without it, changes are found at the sync interval."
      level={3}
      className="gap-2"
    >
      {query.error ? <p className="text-13 text-danger">{errorText(query.error)}</p> : null}
      {data ? (
        <div className="flex flex-col gap-3 text-13">
          {data.isSet ? (
            <DefinitionList
              items={[
                { term: "Address", value: <Copied value={data.url} label="Copy address" /> },
                {
                  term: SECRET_FIELDS[source.kind],
                  value: create.data ? <Copied value={create.data.secret} label="Copy secret" /> : "Stored, shown once",
                },
              ]}
            />
          ) : null}
          <div className="flex gap-2">
            <Button size="sm" pending={create.isPending} onClick={() => create.mutate(undefined)}>
              {data.isSet ? "Replace secret" : "Set up webhook"}
            </Button>
            {data.isSet ? (
              <ConfirmButton
                title={`Remove the webhook of ${source.label}?`}
                description="The host’s reports are refused from then on. Changes are found at the sync interval."
                confirmLabel="Remove webhook"
                onConfirm={async () => {
                  await deleteWebhook(source.id);
                  create.reset();
                }}
                refresh={refresh}
              >
                Remove webhook
              </ConfirmButton>
            ) : null}
          </div>
        </div>
      ) : null}
    </Section>
  );
}

function Copied({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="text-xs [overflow-wrap:anywhere]">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}
