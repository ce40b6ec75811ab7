"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAddressHash } from "@/components/code/use-address-hash";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Section } from "@/components/ui/section";
import { meQuery } from "@/lib/client/me";
import { type Setting, settingsQuery, updateSettings } from "@/lib/client/settings";
import { SettingGroupForm } from "./setting-group-form";
import { settingGroups } from "./setting-groups";

export function InstanceSection() {
  const query = useQuery(settingsQuery);
  return (
    <QueryState query={query} skeletonRows={6} errorTitle="The settings could not be loaded.">
      {({ values, settings }) => (
        <>
          {groupsOf(settings).map(({ id, title, description, settings: ofGroup }) =>
            id === "soloMode" ? (
              <SoloMode key={id} isOn={values.soloMode} />
            ) : (
              <SettingGroupForm key={id} id={id} title={title} description={description} settings={ofGroup} />
            ),
          )}
          <ShowAddressed />
        </>
      )}
    </QueryState>
  );
}

/** The groups with their settings; settings that a newer server added come last. */
function groupsOf(settings: readonly Setting[]) {
  const known = new Set<string>(settingGroups.flatMap(({ keys }) => keys));
  const groups = settingGroups.map(({ keys, ...group }) => ({
    ...group,
    settings: keys.flatMap((key) => settings.filter((setting) => setting.key === key)),
  }));
  const others = settings.filter(({ key }) => !known.has(key));
  const other = { id: "other", title: "Other settings", description: "", settings: others };
  return others.length > 0 ? [...groups, other] : groups;
}

/** Scrolls to the group or setting that the hash names, once the settings are there. */
function ShowAddressed() {
  const [hash] = useAddressHash();
  useEffect(() => {
    const target = hash === "" ? null : document.getElementById(hash.slice(1));
    target?.scrollIntoView({ block: "center" });
    target?.focus({ preventScroll: true });
  }, [hash]);
  return null;
}

/** Whether one person alone may import, approve and run a skill. */
function SoloMode({ isOn }: { isOn: boolean }) {
  const queries = useQueryClient();
  return (
    <div id="soloMode" tabIndex={-1}>
      <Section
        title={
          <span className="flex items-center gap-2">
            Solo mode <Badge tone={isOn ? "warning" : "success"}>{isOn ? "On" : "Off"}</Badge>
          </span>
        }
        actions={
          <ConfirmButton
            size="md"
            title={isOn ? "Switch solo mode off?" : "Switch solo mode on?"}
            description={isOn ? explainOff : explainOn}
            confirmLabel={isOn ? "Switch solo mode off" : "Switch solo mode on"}
            tone={isOn ? "primary" : "danger"}
            onConfirm={() => updateSettings({ soloMode: !isOn })}
            onDone={(answer) => queries.setQueryData(settingsQuery.queryKey, answer)}
            refresh={[meQuery.queryKey]}
          >
            {isOn ? "Switch off" : "Switch on"}
          </ConfirmButton>
        }
      >
        <div className="prose max-w-prose text-13">
          {isOn ? (
            <p>
              One person may import a skill, approve it and confirm its runs. Each of these approvals is marked. Switch
              solo mode off when a second reviewer has joined. Default: on.
            </p>
          ) : (
            <p>
              Reviewers cannot approve versions that they wrote or imported. Dangerous skills need two other people, for
              each version and for each run. Default: on.
            </p>
          )}
        </div>
      </Section>
    </div>
  );
}

const explainOff =
  "From now on, a reviewer other than the author must approve each version, and two must approve a dangerous one. A single reviewer cannot approve their own versions. Existing approvals stay valid. The audit log records this change.";

const explainOn =
  "From now on, one person can approve and run the skills they imported, even dangerous ones. The audit log records this change, and a banner shows it.";
