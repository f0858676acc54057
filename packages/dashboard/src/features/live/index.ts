import { lazily } from "../../lib/lazily.ts";
/** How many visits are active now. It comes after the frame, as it has to listen first. */
export const LiveBadge = lazily(async () => ({ default: (await import("./live-badge.tsx")).LiveBadge }));
