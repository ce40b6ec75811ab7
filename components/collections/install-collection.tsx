"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/state/query-state";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { Collection } from "@/lib/client/collections";
import { connectionQuery } from "@/lib/client/connect";

/** The two shortest ways to install a collection; the others stand on the Connect page. */
export function InstallCollection({ collection: { slug, visibility } }: { collection: Collection }) {
  const query = useQuery(connectionQuery({ collection: slug }));
  return (
    <Section
      title="Install"
      className="min-w-0"
      {...(visibility === "private" ? { description: "It is private: make a capability URL under Connect." } : {})}
    >
      <QueryState query={query} loading={<SkeletonRows rows={2} />} errorTitle="The commands could not be made.">
        {({ url, scope, marketplace, example }) => (
          <>
            <CodeBlock code={`npx skills add ${url}${scope.path} --skill '*'`} label="npx skills, all of them" />
            <CodeBlock
              code={`claude plugin marketplace add ${url}${scope.path}/marketplace.json\nclaude plugin install ${example?.name ?? "SKILL"}@${marketplace}`}
              label="Claude Code"
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
