"use client";

import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { CheckboxField, FormDialog, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { shellQuote } from "@/components/runs/start/curl-command";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import { addWorker, revokeWorker, workersQuery } from "@/lib/client/workers";
import type { Worker } from "@/lib/runner/schema";
import { SecretDialog } from "./secret-dialog";
import { WorkerInventory } from "./worker-inventory";

export function WorkerSection() {
  return (
    <ListSection
      title="Workers"
      description="Processes that run skills, on this machine or on others. They connect to the server over HTTP."
      query={useQuery(workersQuery)}
      skeletonRows={3}
      errorTitle="The workers could not be loaded."
      empty={{ icon: Cpu, title: "No workers", description: "Runs wait until a worker connects." }}
      create="Add worker"
      dialog={() => <AddWorker />}
    >
      {(workers) => (
        <ul className="divide-y rounded-md border">
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function AddWorker() {
  const form = useApiForm({
    values: { name: "", manager: false },
    schema: async () => (await import("@/lib/runner/schema")).CreateWorkerInput,
    send: addWorker,
    refresh: [workersQuery.queryKey],
  });

  if (form.answer) return <AddedWorker {...form.answer} />;
  return (
    <FormDialog
      form={form}
      title="Add worker"
      description="You get a token and the command that starts the worker."
      action="Add worker"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="Lower-case letters, digits and hyphens."
        maxLength={63}
        spellCheck={false}
      />
      <CheckboxField
        form={form}
        name="manager"
        label="Take all runs"
        help="Otherwise it takes only runs that name it. Only for workers that you trust as much as the server: they get the files and arguments of all runs."
      />
    </FormDialog>
  );
}

function AddedWorker({ worker: { name }, token, url }: Awaited<ReturnType<typeof addWorker>>) {
  const command = [
    `(umask 077; printf '%s' ${shellQuote(token)} > ${name}.token)`,
    `npm run worker -- --url ${shellQuote(url)} --token-file ${name}.token --name ${name}`,
  ].join("\n");
  return (
    <SecretDialog
      title={`Worker ${name} is added`}
      secret={token}
      label="Token"
      warning="Copy it now. It is stored as a hash and never shown again."
    >
      <CodeBlock code={command} label="Start command, for the Skillgate folder on the worker’s machine" language="sh" />
    </SecretDialog>
  );
}

function WorkerRow({ worker }: { worker: Worker }) {
  return (
    <li className="flex items-start gap-4 px-4 py-3 text-13">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{worker.name}</span>
          <span className="inline-flex items-center gap-1.5">
            <span
              aria-hidden
              className={cn("size-2 rounded-full", worker.online ? "bg-success-mark" : "bg-muted-foreground/50")}
            />
            {worker.online ? "Online" : "Offline"}
          </span>
          {worker.online ? (
            <span className="text-muted-foreground tabular-nums">
              {worker.running} of {worker.slots} {worker.slots === 1 ? "slot" : "slots"} busy
              {worker.load === null ? "" : `, load ${worker.load.toFixed(2)}`}
            </span>
          ) : null}
        </p>
        <p className="mt-0.5 text-muted-foreground text-xs">{explain(worker)}</p>
        <IsolationFacts facts={worker.isolationFacts} />
        <Allowance allows={worker.allows} hasConnected={worker.lastSeenAt !== null} />
        <WorkerInventory worker={worker} />
        <p className="text-muted-foreground text-xs">
          {worker.lastSeenAt ? (
            <>
              Last seen <RelativeTime value={worker.lastSeenAt} />
            </>
          ) : (
            "Never connected"
          )}
        </p>
      </div>
      <ConfirmButton
        aria-label={`Revoke ${worker.name}`}
        title={`Revoke the worker ${worker.name}?`}
        description={
          worker.running > 0
            ? `Its token stops working, and its active runs (${worker.running}) fail. This cannot be undone.`
            : "Its token stops working, and it takes no more runs. This cannot be undone."
        }
        confirmLabel="Revoke worker"
        onConfirm={() => revokeWorker(worker.id)}
        refresh={[workersQuery.queryKey]}
      >
        Revoke
      </ConfirmButton>
    </li>
  );
}

function IsolationFacts({ facts }: { facts: Worker["isolationFacts"] }) {
  if (facts.length === 0) return null;
  return (
    <details className="text-muted-foreground text-xs">
      <summary className="w-fit cursor-default leading-6 hover:text-foreground">Isolation</summary>
      <ul className="my-1 list-disc space-y-0.5 pl-4">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </details>
  );
}

const allowances = [
  ["paths", "Folders of the host", "SKILLGATE_WORKER_PATHS"],
  ["env", "Environment variables", "SKILLGATE_WORKER_ENV"],
  ["capabilities", "Linux capabilities", "SKILLGATE_WORKER_LINUX_CAPABILITIES"],
  ["namespaces", "Namespaces of the host", "SKILLGATE_WORKER_NAMESPACES"],
  ["ranges", "Addresses besides public ones", "SKILLGATE_WORKER_RANGES"],
] as const;

/** What the operator of the worker allows: a run needs it in addition to the reviewer's grant. */
function Allowance({ allows, hasConnected }: { allows: Worker["allows"]; hasConnected: boolean }) {
  if (!hasConnected) return null;
  if (allows === null) {
    return (
      <p className="text-warning text-xs">
        This worker is of an older release that does not report what it allows, so it gets only runs without extra
        permissions. Update it.
      </p>
    );
  }
  return (
    <details className="text-muted-foreground text-xs">
      <summary className="w-fit cursor-default leading-6 hover:text-foreground">Allowed permissions</summary>
      <ul className="my-1 list-disc space-y-0.5 pl-4">
        {allowances.map(([key, label, variable]) => (
          <li key={key} className="[overflow-wrap:anywhere]">
            {label}: {allows[key].length === 0 ? "none" : allows[key].join(", ")}{" "}
            <code className="font-mono">({variable})</code>
          </li>
        ))}
        <li>
          {allows.proxy
            ? "Network: each run has its own network and a proxy"
            : "Network: none, because this worker cannot isolate the network of a run"}
        </li>
      </ul>
    </details>
  );
}

function explain({ manager, isolation, platform, version, lastSeenAt }: Worker): string {
  const takes = manager ? "Takes all runs" : "Takes only runs that name it";
  if (lastSeenAt === null) return `${takes}.`;
  const what = [platform, version ? `version ${version}` : null].filter(Boolean).join(", ");
  return `${takes}. ${isolationSentences[isolation ?? "none"]}.${what ? ` ${what}.` : ""}`;
}

const isolationSentences = {
  sandbox: "Each run has its own sandbox",
  namespaces: "Each run has its own namespaces and user, without bubblewrap",
  process: "Runs have their own user but no sandbox: only safe skills run unless a setting allows more",
  none: "No sandbox: nothing runs here unless a setting allows it",
} as const;
