import { lazy } from "react";

/** How many visits are active now. It comes after the frame, as it has to listen first. */
export const LiveBadge = lazy(async () => ({ default: (await import("./live-badge.tsx")).LiveBadge }));
