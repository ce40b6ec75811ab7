/** What each code means and what leads on. Codes are stable; a client may rely on them. */
export const errorExplanations: Record<string, string> = {
  malformed:
    "The request cannot be read: broken JSON, a wrong type, an unknown cursor. Correct it before sending it again.",
  unauthenticated: "There is no sign-in, or the token is unknown, expired or revoked. Sign in, or send another token.",
  forbidden: "You are known and may not do this: the role or a scope is missing. `detail` names which.",
  cross_origin: "A write with the session cookie came from another site. Programs send a bearer token instead.",
  quota_exceeded:
    "A person may not have more of this: their skills are too many or take too much. The rule names the quota; an admin can raise it.",
  separation_of_duties: "Somebody else has to decide: you brought this in, or you have signed it already.",
  not_found: "It does not exist, or you may not see it; the two look the same.",
  method_not_allowed: "The path exists, and not with this method.",
  request_timeout:
    "The body arrived more slowly than 512 bytes a second, and the server closed the connection. Send it again over a faster link.",
  conflict: "It is not in the state for this: a name is taken, a run has ended already.",
  not_approved: "There is no version that is approved and switched on, so nothing may run.",
  no_isolation:
    "The workers that could run it cannot isolate its class well enough, and no setting allows it there. Install bubblewrap, or ask an admin.",
  worker_does_not_allow:
    "The skill is granted something that the operator of no worker allows. `detail` names the worker and the variable that opens it.",
  version_tampered:
    "The stored bytes of the version are not those that were approved. Restore them from a backup, or import the skill again.",
  credential_missing:
    "A credential that the skill is given is not stored any more. An admin stores one of that name, or the skill is approved anew.",
  not_offered: "The edge or worker that was named does not have this skill. GET /api/edges?skill= lists those that do.",
  unknown_edge: "There is no edge of that id or name: it was revoked, or never added.",
  confirmation_required: "The skill changes things. Send `confirm: true` after a person has agreed.",
  idempotency_mismatch: "The Idempotency-Key was used for another request. Use a new key for new content.",
  gone: "It was there and is no more: the version was revoked, its skill switched off or deleted, or the address has expired.",
  stale: "It was changed since you read it (`If-Match`). Read it again and repeat the change.",
  too_large: "The body is over the limit of this endpoint.",
  unsupported_type: "The content type is not the one this endpoint takes.",
  invalid: "It was understood and is wrong. `errors` lists the path and the reason for each field.",
  schema_invalid:
    "The schema of the skill’s arguments is no valid JSON Schema. `errors` lists each place. Correct the file and import it again.",
  address_not_allowed:
    "The address is not a public one, and no range of the operator allows it. `detail` names the variable that opens it.",
  archive_rejected: "The archive is unsafe or broken. Nothing of it was stored.",
  rate_limited: "Too many requests. Wait for the seconds in `Retry-After`.",
  internal: "A fault of the server. `requestId` finds it in its log.",
  unavailable: "The database or another part is away. Try again after `Retry-After`.",
  storage_full:
    "The disk of the server is full, or almost. Nothing of this request was stored; reading goes on. Try again once there is space.",
};

export const accessLabels: Record<string, string> = {
  public: "No sign-in",
  read: "Scope read",
  run: "Scope run",
  write: "Scope write",
  review: "Scope review",
  admin: "Scope admin",
  session: "Browser session only",
  worker: "Worker token",
};
