-- Who made decisions, for the filter of the list of decided versions (lib/review/list-decided.ts).
CREATE INDEX "Decision_actorId_idx" ON "Decision"("actorId");
