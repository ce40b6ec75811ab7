"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { settingsQuery } from "@/lib/client/settings";
import { SettingRow } from "./setting-row";
import { SoloMode } from "./solo-mode";

/** What an admin can set on this server. Each change is audited. */
export function InstanceSection() {
  const query = useQuery(settingsQuery);
  return (
    <QueryState query={query} loading={<SkeletonRows rows={6} />} errorTitle="The settings could not be loaded.">
      {({ values, settings }) => (
        <>
          <SoloMode isOn={values.soloMode} />
          <Section title="Limits and names" description="They hold from the next request on.">
            <ul className="divide-y rounded-md border">
              {settings
                .filter(({ key }) => key !== "soloMode")
                .map((setting) => (
                  <SettingRow key={setting.key} setting={setting} />
                ))}
            </ul>
          </Section>
        </>
      )}
    </QueryState>
  );
}
