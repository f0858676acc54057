import { WhyChips } from "../why/index.ts";
import { useAsked } from "./use-overview.ts";

/** The values that explain the change of what the chart shows, in one line. */
export function WhyLine() {
	const { metric } = useAsked();
	return <WhyChips metric={metric} />;
}
