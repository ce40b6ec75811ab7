"use client";

import { useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";

import { ConfirmButton } from "@/components/forms/confirm-button";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { collectionQuery, collectionsKey, deleteCollection } from "@/lib/client/collections";
import { connectionQuery } from "@/lib/client/connect";
import type { Collection } from "@/lib/skills/community/schema";
import { CollectionForm } from "./collection-form";
import { CollectionSkills } from "./collection-skills";

export function CollectionPage({ slug }: { slug: string }) {
  const query = useQuery(collectionQuery(slug));
  useCrumbs([
    { label: "My skills", href: "/skills" },
    { label: "Collections", href: "/collections" },
    { label: query.data?.title ?? "Collection" },
  ]);
  return (
    <QueryState query={query} errorTitle="This collection could not be loaded.">
      {(collection) => <Loaded collection={collection} />}
    </QueryState>
  );
}

function Loaded({ collection }: { collection: Collection }) {
  return (
    <Page
      title={collection.title}
      aside={
        collection.visibility === "private" ? <Badge title="Visible to its owner and admins only">Private</Badge> : null
      }
      description={
        <>
          {collection.description ? (
            <p className="whitespace-pre-line">
              <RevealedText text={collection.description} />
            </p>
          ) : null}
          <p className="text-13">By {collection.owner.name || "a former user"}</p>
        </>
      }
      actions={<Actions collection={collection} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {collection.skills.length === 0 ? (
          <EmptyState
            title="No skills yet"
            description="Open a skill and choose “Add to collection” in its menu."
            action={
              <Button asChild>
                <Link href="/skills">Go to my skills</Link>
              </Button>
            }
          />
        ) : (
          <CollectionSkills collection={collection} />
        )}
        <InstallCollection collection={collection} />
      </div>
    </Page>
  );
}

function Actions({ collection }: { collection: Collection }) {
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <Button asChild>
        <Link href={`/connect?collection=${collection.slug}`}>
          <Plug aria-hidden />
          Connect
        </Link>
      </Button>
      {collection.editable ? (
        <>
          <Button onClick={() => setEditing(true)}>Edit</Button>
          <ConfirmButton
            size="md"
            variant="ghost"
            className="text-danger"
            title={`Delete ${collection.title}?`}
            description="Its URL stops working immediately. The skills in it stay."
            confirmLabel="Delete collection"
            onConfirm={() => deleteCollection(collection.slug)}
            onDone={() => router.push("/collections")}
            refresh={[[...collectionsKey, "list"]]}
          >
            Delete
          </ConfirmButton>
        </>
      ) : null}
      <Dialog open={isEditing} onOpenChange={setEditing}>
        {isEditing ? <CollectionForm collection={collection} onDone={() => setEditing(false)} /> : null}
      </Dialog>
    </>
  );
}

/** The two shortest install commands; the Connect page has the others. */
function InstallCollection({ collection: { slug, visibility } }: { collection: Collection }) {
  const query = useQuery(connectionQuery({ collection: slug }));
  return (
    <Section
      title="Install"
      className="min-w-0"
      {...(visibility === "private"
        ? { description: "The collection is private: create a capability URL under Connect." }
        : {})}
    >
      <QueryState query={query} skeletonRows={2} errorTitle="The commands could not be loaded.">
        {({ url, scope, marketplace, example }) => (
          <>
            <CodeBlock
              code={`npx skills add ${url}${scope.path} --skill '*'`}
              label="npx skills (all skills)"
              language="sh"
            />
            <CodeBlock
              code={`claude plugin marketplace add ${url}${scope.path}/marketplace.json\nclaude plugin install ${example?.name ?? "SKILL"}@${marketplace}`}
              label="Claude Code"
              language="sh"
            />
          </>
        )}
      </QueryState>
      <p className="text-13">
        <Link href={`/connect?collection=${slug}`} className="text-primary underline underline-offset-2">
          Commands for other clients
        </Link>
      </p>
    </Section>
  );
}
