const actionLabels: Record<string, string> = {
  "agent.fail": "Agent call failed",
  "agent.read": "File read by an agent",
  "agent.refuse": "Agent call refused",
  "analysis.cancelled": "Dry run cancelled",
  "analysis.failed": "Dry run failed",
  "analysis.finished": "Dry run finished",
  "analysis.requested": "Dry run requested",
  "analysis.started": "Dry run started",
  "audit.export": "Audit log exported",
  "audit.seal": "Audit log sealed",
  "audit.verify": "Audit log verified",
  "backup.make": "Backup created",
  "bundle.export": "Bundle exported",
  "bundle.import": "Bundle imported",
  "catalog_source.credential_clear": "Catalog credential removed",
  "catalog_source.credential_set": "Catalog credential set",
  "catalog_source.failed": "Catalog sync failed",
  "catalog_source.keep": "Catalog source kept",
  "catalog_source.sync": "Catalog sync requested",
  "catalog_source.synced": "Catalog synced",
  "catalog_source.unkeep": "Catalog source no longer kept",
  "collection.add": "Skill added to a collection",
  "collection.order": "Collection reordered",
  "collection.remove": "Skill removed from a collection",
  "credential.rotate": "Credential value replaced",
  "database.damage": "Database damage found",
  "eligibility.update": "Requirement overrides changed",
  "github_token.clear": "GitHub token removed",
  "instance.distrust": "Trust in an instance withdrawn",
  "instance.move": "Instance moved to PostgreSQL",
  "instance.trust": "Instance trusted",
  "integration.read": "Integration read",
  "integration.setup": "Integration set up",
  "job.run": "Background job started",
  "overlay.optimize": "Overlay generated",
  "playground.ask": "Playground message sent",
  "playground.begin": "Conversation started",
  "playground.delete": "Conversation deleted",
  "playground.trim": "Old conversations deleted",
  "publisher.unverify": "Publisher verification removed",
  "request.refuse": "Request refused",
  "run.lease": "Run leased by a worker",
  "run.request": "Run approval requested",
  "run.return": "Run queued again",
  "run.succeed": "Run finished",
  "schedule.refuse": "Scheduled run refused",
  "schedule.stop": "Schedule switched off",
  "server.clock": "Clock changed",
  "session.end": "Signed out",
  "session.revoke": "Session ended",
  "session.revoke_all": "All sessions ended",
  "session.start": "Signed in",
  "setup.open": "Set-up link printed",
  "skill.disable": "Skill switched off",
  "skill.enable": "Skill switched on",
  "skill.list": "Skill unblocked",
  "skill.unlist": "Skill blocked",
  "skill.load": "Playbook loaded",
  "skill.revive": "Skill active again",
  "skill.stale": "Skill marked as stale",
  "skill.star": "Skill starred",
  "skill.unadopt": "Adoption ended",
  "skill.undeprecate": "Deprecation removed",
  "skill.unstar": "Star removed",
  "skill.update_from_catalog": "Catalog update imported",
  "upload.take": "Upload received",
  "user.change_password": "Password changed",
  "user.quotas": "Quotas changed",
  "version.changelog": "Changelog changed",
  "version.request_changes": "Changes requested",
  "version.rescan": "Version scanned again",
  "version.returned": "Approval no longer valid",
  "version.tampered": "Changed files found",
  "worker.file": "File sent by a worker",
  "worker.inventory": "Inventory reported",
  "worker.rescan": "Rescan requested",
};

const NOUNS: Record<string, string> = {
  capability_url: "Capability URL",
  github_token: "GitHub token",
  oauth: "Program",
  setup: "Set-up",
  sign_in: "Sign-in",
  sop: "Procedure",
  sop_key: "Procedure key",
  trace: "Use",
  user: "Person",
};

const PARTICIPLES: Record<string, string> = {
  allow: "authorised",
  cancel: "cancelled",
  rebuild: "rebuilt",
  retry: "retried",
  set: "set",
  submit: "submitted",
  update: "changed",
  withdraw: "withdrawn",
};

/** The label of an action of the audit log: "Token created" for `token.create`. */
export function actionLabel(action: string): string {
  const [noun = "", verb = ""] = action.split(".");
  return actionLabels[action] ?? `${NOUNS[noun] ?? capital(noun.replaceAll("_", " "))} ${participleOf(verb)}`.trim();
}

function participleOf(verb: string): string {
  const words = verb.replaceAll("_", " ");
  if (words === "" || words.endsWith("ed")) return words;
  return (
    PARTICIPLES[verb] ??
    (words.endsWith("e") ? `${words}d` : words.endsWith("y") ? `${words.slice(0, -1)}ied` : `${words}ed`)
  );
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
