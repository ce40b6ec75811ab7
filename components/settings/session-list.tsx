"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { useToast } from "@/components/ui/toast";
import { endSession, type SessionInfo, sessionsQuery } from "@/lib/client/people";
import { describeUserAgent } from "./user-agent";

export function SessionList() {
  const query = useQuery(sessionsQuery);
  return (
    <QueryState
      query={query}
      loading={<SkeletonRows rows={2} />}
      errorTitle="Your sessions could not be loaded."
      isEmpty={(page) => page.items.length === 0}
      empty={<p className="text-13 text-muted-foreground">There are no sessions.</p>}
    >
      {(page) => (
        <ul className="divide-y rounded-md border">
          {page.items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </QueryState>
  );
}

function SessionRow({ session }: { session: SessionInfo }) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const end = useMutation({
    mutationFn: () => endSession(session.id),
    onError: (error) => toast({ tone: "danger", title: "The session was not ended.", description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const device = describeUserAgent(session.userAgent);
  return (
    <li className="flex min-h-12 items-center gap-3 px-4 py-2 text-13">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium" title={session.userAgent ?? undefined}>
            {device}
          </span>
          {session.current ? <Badge tone="accent">This session</Badge> : null}
        </p>
        <p className="text-muted-foreground text-xs">
          Signed in <RelativeTime value={session.createdAt} />, last seen <RelativeTime value={session.lastSeenAt} />
          {session.address ? `, from ${session.address}` : ""}
        </p>
      </div>
      {session.current ? null : (
        <Button size="sm" pending={end.isPending} onClick={() => end.mutate()} aria-label={`Sign out ${device}`}>
          Sign out
        </Button>
      )}
    </li>
  );
}
