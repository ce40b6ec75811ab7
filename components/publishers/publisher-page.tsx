"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { ExternalAddress } from "@/components/skills/detail/external-address";
import { VerifiedMark } from "@/components/skills/marks/publisher-link";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { type Publisher, publisherQuery, publishersKey, verifyPublisher } from "@/lib/client/publishers";
import { skillsKey } from "@/lib/client/skills";
import { PublisherForm } from "./publisher-form";
import { PublisherSkills } from "./publisher-skills";

/** One publisher, by its handle or one that it had lately. */
export function PublisherPage({ handle }: { handle: string }) {
  const query = useQuery(publisherQuery(handle));
  const router = useRouter();
  const current = query.data?.handle;
  useCrumbs([{ label: query.data?.name ?? "Publisher" }]);
  useEffect(() => {
    if (current !== undefined && current !== handle) router.replace(`/publishers/${current}`);
  }, [current, handle, router]);
  return (
    <QueryState query={query} errorTitle="This publisher could not be loaded.">
      {(publisher) => <Loaded publisher={publisher} />}
    </QueryState>
  );
}

function Loaded({ publisher }: { publisher: Publisher }) {
  return (
    <Page
      title={<RevealedText text={publisher.name} />}
      aside={publisher.verified ? <VerifiedMark /> : null}
      description={
        <div className="flex flex-col gap-1">
          <p className="text-13">
            <code className="font-mono text-xs">{publisher.handle}</code>
            {publisher.kind === "org" ? ", everybody in the organisation" : null}
          </p>
          {publisher.bio ? (
            <p className="whitespace-pre-line text-foreground">
              <RevealedText text={publisher.bio} />
            </p>
          ) : null}
          {publisher.homepage ? (
            <p className="text-13">
              <ExternalAddress href={publisher.homepage} />
            </p>
          ) : null}
        </div>
      }
      actions={<Actions publisher={publisher} />}
    >
      <PublisherSkills publisher={publisher} />
    </Page>
  );
}

function Actions({ publisher }: { publisher: Publisher }) {
  const isAdmin = useMe()?.user.role === "admin";
  const router = useRouter();
  const [open, setOpen] = useState<"edit" | "verify" | null>(null);
  const close = () => setOpen(null);
  const verify = useVerify(publisher);
  return (
    <>
      <Button asChild>
        <Link href={`/connect?publisher=${publisher.handle}`}>
          <Plug aria-hidden />
          Connect
        </Link>
      </Button>
      {publisher.editable ? <Button onClick={() => setOpen("edit")}>Edit profile</Button> : null}
      {isAdmin ? (
        <Button onClick={() => setOpen("verify")}>{publisher.verified ? "Take verified mark" : "Verify"}</Button>
      ) : null}
      <Dialog open={open === "edit"} onOpenChange={close}>
        {open === "edit" ? (
          <PublisherForm
            publisher={publisher}
            onDone={({ handle }) => {
              close();
              if (handle !== publisher.handle) router.replace(`/publishers/${handle}`);
            }}
          />
        ) : null}
      </Dialog>
      <ConfirmDialog
        open={open === "verify"}
        onOpenChange={close}
        title={publisher.verified ? `Take the verified mark from ${publisher.name}?` : `Verify ${publisher.name}?`}
        description={
          publisher.verified
            ? "Its skills lose the mark at once."
            : "You say that you know who this is. The mark stands beside all its skills until it changes its name."
        }
        confirmLabel={publisher.verified ? "Take mark" : "Verify publisher"}
        onConfirm={() => verify.mutateAsync()}
      />
    </>
  );
}

function useVerify(publisher: Publisher) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => verifyPublisher(publisher.handle, !publisher.verified),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: publishersKey });
      await queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
}
