import { lazy } from "react";

/** The values that explain a change, in one line. */
export const WhyChips = lazy(async () => ({ default: (await import("./why-chips.tsx")).WhyChips }));
