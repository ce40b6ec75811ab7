"use client";

import { Page } from "@/components/shell/page";
import { useUrlParams } from "@/components/state/use-url-params";
import { ApprovalInbox } from "./approval-inbox";
import { ApprovalTabs, shownOf } from "./approval-tabs";

/** Runs that wait for people. */
export function ApprovalsPage() {
  const [params] = useUrlParams();
  const show = shownOf(params.get("show") ?? "");
  return (
    <Page width="full" title="Approvals" description="Runs that wait for people, the oldest first.">
      <ApprovalTabs current={show} />
      <ApprovalInbox key={show} show={show} />
    </Page>
  );
}
