import { lazily } from "../../lib/lazily.ts";
/** The worst unread insights in one line. */
export const InsightsStrip = lazily(async () => ({
	default: (await import("./insights-strip.tsx")).InsightsStrip,
}));
