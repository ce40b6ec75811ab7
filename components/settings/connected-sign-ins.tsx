"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { goTo } from "@/components/auth/go-to";
import { beginProviderSignIn } from "@/components/auth/session";
import { signInErrorText } from "@/components/auth/sign-in-error";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { List } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { useToast } from "@/components/ui/toast";
import type { ConnectedSignIn } from "@/lib/auth/providers/schema";
import { connectedSignInsQuery, disconnectSignIn } from "@/lib/client/people";

type Choice = { id: string; name: string };

/** Accounts at sign-in providers. Renders nothing on a server without providers. */
export function ConnectedSignIns() {
  const query = useQuery(connectedSignInsQuery);
  // Most servers have no providers: a skeleton would appear and vanish again.
  if (query.isPending) return null;
  if (query.data && query.data.providers.length === 0 && query.data.items.length === 0) return null;
  return (
    <Section
      title="Connected sign-ins"
      description="External accounts that you can sign in with. Skillgate stores no access to them."
      actions={<ConnectButtons providers={query.data?.providers ?? []} />}
    >
      <ConnectResult providers={query.data?.providers ?? []} items={query.data?.items ?? []} />
      <List
        query={query}
        skeletonRows={1}
        errorTitle="Your connected sign-ins could not be loaded."
        empty={<p className="text-13 text-muted-foreground">None. You sign in with your password.</p>}
      >
        {(items) => (
          <ul className="divide-y rounded-md border">
            {items.map((item) => (
              <ConnectedRow key={item.id} item={item} />
            ))}
          </ul>
        )}
      </List>
    </Section>
  );
}

function ConnectResult({ providers, items }: { providers: Choice[]; items: ConnectedSignIn[] }) {
  const params = useSearchParams();
  const nameOf = (id: string | null) => providers.find((provider) => provider.id === id)?.name;
  const [connected, error] = [params.get("connected"), params.get("error")];
  if (error !== null) {
    return (
      <Notice tone="danger" announce>
        {signInErrorText(error, { provider: nameOf(params.get("provider")) })}
      </Notice>
    );
  }
  if (!items.some(({ provider }) => provider === connected)) return null;
  return <Notice tone="success">You can now sign in with {nameOf(connected)}.</Notice>;
}

function ConnectButtons({ providers }: { providers: Choice[] }) {
  const { toast } = useToast();
  const connect = useMutation({
    mutationFn: async (provider: Choice) => {
      const outcome = await beginProviderSignIn(provider.id, { connect: "true" });
      if (!outcome.ok) throw new Error(signInErrorText(outcome.code, { ...outcome, provider: provider.name }));
      goTo(outcome.address);
    },
    onError: (error, { name }) =>
      toast({ tone: "danger", title: `${name} was not connected.`, description: error.message }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      {providers.map((provider) => (
        <Button
          key={provider.id}
          pending={connect.isPending && connect.variables.id === provider.id}
          onClick={() => connect.mutate(provider)}
        >
          Connect {provider.name}
        </Button>
      ))}
    </div>
  );
}

function ConnectedRow({ item }: { item: ConnectedSignIn }) {
  return (
    <li className="flex min-h-12 items-center gap-3 px-4 py-2 text-13">
      <div className="min-w-0 flex-1">
        <p className="truncate" title={item.label}>
          <span className="font-medium">{item.providerName}</span> {item.label}
        </p>
        <p className="text-muted-foreground text-xs">
          Connected <RelativeTime value={item.createdAt} />, last used <RelativeTime value={item.lastUsedAt} />
        </p>
      </div>
      <ConfirmButton
        aria-label={`Disconnect ${item.providerName} ${item.label}`}
        title={`Disconnect ${item.providerName}?`}
        description={`You can no longer sign in as ${item.label}. Sessions started that way continue until they expire.`}
        confirmLabel="Disconnect"
        onConfirm={() => disconnectSignIn(item.id)}
        refresh={[connectedSignInsQuery.queryKey]}
        done={`${item.providerName} is disconnected.`}
      >
        Disconnect
      </ConfirmButton>
    </li>
  );
}
