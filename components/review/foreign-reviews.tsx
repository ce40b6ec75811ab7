import { useQuery } from "@tanstack/react-query";
import { RevealedText } from "@/components/code/hidden-notice";
import { decisionVerbs } from "@/components/skills/versions/decision-list";
import { errorText } from "@/components/state/describe-error";
import { ClassChip } from "@/components/ui/class-chip";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { StateChip } from "@/components/ui/state-chip";
import { foreignReviewsQuery } from "@/lib/client/evidence";
import type { ForeignReview } from "@/lib/review/bundles/schema";

/** What other instances decided about these bytes; nothing for versions that no bundle brought. */
export function ForeignReviews({ skillId, digest }: { skillId: string; digest: string }) {
  const query = useQuery(foreignReviewsQuery(skillId, digest));
  if (query.error) return <p className="text-13 text-danger">{errorText(query.error)}</p>;
  if (!query.data || query.data.items.length === 0) return null;
  return (
    <Section title="Other instances" level={3} className="gap-2">
      <ul className="flex flex-col gap-4">
        {query.data.items.map((review) => (
          <Review key={review.instance.keyId} review={review} />
        ))}
      </ul>
    </Section>
  );
}

function Review({ review }: { review: ForeignReview }) {
  const { instance, bundle, decisions, analyses } = review;
  return (
    <li className="flex flex-col gap-1.5 text-13" data-fact="">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">
          <RevealedText text={instance.name} />
        </span>
        <StateChip state={review.state} />
        {review.class === null ? null : <ClassChip value={review.class} />}
        <span className="text-muted-foreground">
          key <Digest value={instance.keyId} label="key fingerprint" />
        </span>
      </p>
      <p>{review.counts ? "It counts here: an admin trusts this instance." : review.whyNot}</p>
      <ul className="flex flex-col gap-1">
        {decisions.map((decision) => (
          <li key={decision.id}>
            {decision.by} {decisionVerbs[decision.decision]} there, <RelativeTime value={decision.at} />
            {decision.signed ? "" : " (signature not verified)"}
            {decision.standing === "void" ? " (no longer counts there)" : ""}
            {decision.comment === "" ? null : (
              <span className="block whitespace-pre-line text-muted-foreground [overflow-wrap:anywhere]">
                <RevealedText text={decision.comment} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {analyses.map((analysis) => (
        <p key={analysis.id} className={analysis.hostile ? "text-danger" : "text-muted-foreground"}>
          Dry run there on {analysis.worker}, <RelativeTime value={analysis.finishedAt} />
          {analysis.hostile ? ": hostile acts observed" : ": no hostile act observed"}
        </p>
      ))}
      <p className="text-muted-foreground">
        Exported by {bundle.exportedBy} <RelativeTime value={bundle.exportedAt} />, imported by {bundle.importedBy.name}{" "}
        <RelativeTime value={bundle.importedAt} />.
      </p>
    </li>
  );
}
