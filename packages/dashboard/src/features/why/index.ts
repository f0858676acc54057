import { lazily } from "../../lib/lazily.ts";
/** The values that explain a change, in one line. */
export const WhyChips = lazily(async () => ({ default: (await import("./why-chips.tsx")).WhyChips }));
