import { type Ref, type RefObject, useImperativeHandle } from "react";

type StandInProps = { target: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> };

/** Child of a Radix trigger (`asChild`) whose button is elsewhere: Radix anchors and focuses `target`. Renders nothing. */
export function StandIn({ target, ref }: StandInProps) {
  useImperativeHandle(ref, () => target.current as HTMLElement, [target]);
  return null;
}
