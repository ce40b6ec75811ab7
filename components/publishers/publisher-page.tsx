"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plug, Star } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";

import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, FormField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { ExternalAddress } from "@/components/skills/detail/external-address";
import { SkillIcon } from "@/components/skills/skill-icon";
import { countOf, displayName, skillHref } from "@/components/skills/skill-labels";
import { VerifiedMark } from "@/components/skills/status-badges";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { patchPublisher, publisherQuery, publishersKey, verifyPublisher } from "@/lib/client/people";
import { skillsKey, skillsQuery } from "@/lib/client/skills";
import type { Publisher } from "@/lib/skills/community/schema";
import type { Skill } from "@/lib/skills/schema";

export function PublisherPage({ handle }: { handle: string }) {
  const query = useQuery(publisherQuery(handle));
  const router = useRouter();
  const current = query.data?.handle;
  useCrumbs([{ label: "Catalog", href: "/catalog" }, { label: query.data?.name ?? "Publisher" }]);
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
            {publisher.kind === "org" ? ", everyone in the organisation" : null}
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
  const { name, handle, editable, verified } = publisher;
  const isAdmin = useMe()?.user.role === "admin";
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <Button asChild>
        <Link href={`/connect?publisher=${handle}`}>
          <Plug aria-hidden />
          Connect
        </Link>
      </Button>
      {editable ? <Button onClick={() => setEditing(true)}>Edit profile</Button> : null}
      {isAdmin ? (
        <ConfirmButton
          size="md"
          title={verified ? `Remove verification of ${name}?` : `Verify ${name}?`}
          description={
            verified
              ? "Its skills are no longer shown as verified, from now on."
              : "You confirm that you know this publisher. Its skills are shown as verified until its name or handle changes."
          }
          confirmLabel={verified ? "Remove verification" : "Verify publisher"}
          tone="primary"
          onConfirm={() => verifyPublisher(handle, !verified)}
          refresh={[publishersKey, skillsKey]}
        >
          {verified ? "Remove verification" : "Verify"}
        </ConfirmButton>
      ) : null}
      <Dialog open={isEditing} onOpenChange={setEditing}>
        {isEditing ? (
          <PublisherForm
            publisher={publisher}
            onDone={(saved) => {
              setEditing(false);
              if (saved.handle !== handle) router.replace(`/publishers/${saved.handle}`);
            }}
          />
        ) : null}
      </Dialog>
    </>
  );
}

function PublisherSkills({ publisher }: { publisher: Publisher }) {
  const query = useInfiniteQuery(skillsQuery({ publisher: publisher.handle }));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Section title={countOf(publisher.skills, "skill")}>
      <QueryState
        query={query}
        errorTitle="The skills could not be loaded."
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <EmptyState title="No skills yet" description="Skills that this publisher shares with you appear here." />
        }
      >
        {({ pages }) => (
          <>
            <ul className="flex flex-col divide-y border-y">
              {pages
                .flatMap(({ items }) => items)
                .map((skill) => (
                  <SkillLine key={skill.id} skill={skill} />
                ))}
            </ul>
            {hasNextPage ? (
              <div>
                <Button pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              </div>
            ) : null}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function SkillLine({ skill }: { skill: Skill }) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      <SkillIcon skill={skill} size="sm" />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={skillHref(skill)} className="truncate font-medium hover:underline">
            <RevealedText text={displayName(skill)} />
          </Link>
          <ClassChip value={skill.class} proposed={skill.currentVersion === null} />
          {skill.deprecated ? <Badge tone="warning">Deprecated</Badge> : null}
        </span>
        <span className="block truncate text-13 text-muted-foreground" title={skill.description}>
          <RevealedText text={skill.description} />
        </span>
      </span>
      <span className="flex shrink-0 items-center gap-1 text-13 text-muted-foreground tabular-nums">
        <Star aria-hidden className="size-3.5" />
        <span className="sr-only">{countOf(skill.stars, "star")}</span>
        <span aria-hidden>{skill.stars}</span>
      </span>
      <RelativeTime
        value={skill.updatedAt}
        className="w-24 shrink-0 text-right text-13 text-muted-foreground max-sm:hidden"
      />
    </li>
  );
}

function PublisherForm({ publisher, onDone }: { publisher: Publisher; onDone: (publisher: Publisher) => void }) {
  const form = useApiForm({
    values: {
      name: publisher.name,
      handle: publisher.handle,
      bio: publisher.bio ?? "",
      homepage: publisher.homepage ?? "",
    },
    body: ({ name, handle, bio, homepage }) => ({
      name,
      bio: bio.trim() || null,
      homepage: homepage.trim() || null,
      ...(handle === publisher.handle ? {} : { handle }),
    }),
    schema: async () => (await import("@/lib/skills/community/schema")).PatchPublisherInput,
    send: (patch) => patchPublisher(publisher.handle, patch),
    refresh: [publishersKey, skillsKey],
    onDone,
  });
  return (
    <FormDialog
      form={form}
      title="Edit profile"
      description={
        publisher.verified
          ? "A new name or handle removes the verification until an admin verifies you again."
          : undefined
      }
      action="Save profile"
    >
      <TextField form={form} name="name" label="Name" required maxLength={80} />
      <FormField
        form={form}
        name="handle"
        label="Handle"
        required
        help={
          publisher.handleFreeAt ? (
            <>
              You changed it today and can change it again <RelativeTime value={publisher.handleFreeAt} />.
            </>
          ) : (
            "Part of the install URLs. You can change it once a day; the old handle redirects here for 30 days."
          )
        }
      >
        {(field) => (
          <Input
            {...field}
            maxLength={39}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-13"
            onChange={({ target }) => field.onChange(target.value.toLowerCase())}
          />
        )}
      </FormField>
      <TextareaField form={form} name="bio" label="About" optional rows={3} maxLength={500} />
      <TextField
        form={form}
        name="homepage"
        label="Homepage"
        optional
        type="url"
        maxLength={300}
        placeholder="https://"
      />
    </FormDialog>
  );
}
