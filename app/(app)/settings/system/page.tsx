import type { Metadata } from "next";
import { BackgroundJobs } from "@/components/settings/system/background-jobs";
import { Backups } from "@/components/settings/system/backups";
import { Configuration } from "@/components/settings/system/configuration";
import { Limits } from "@/components/settings/system/limits";
import { SystemOverview } from "@/components/settings/system/overview";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "System" };

export default async function System() {
  await requirePageActor(["admin"]);
  return (
    <>
      <SystemOverview />
      <div id="backups" tabIndex={-1}>
        <Backups />
      </div>
      <div id="jobs" tabIndex={-1}>
        <BackgroundJobs />
      </div>
      <Limits />
      <Configuration />
    </>
  );
}
