export { useAllTime } from "./first-day.ts";
export { PeriodControls } from "./period-controls.tsx";
export { t as periodTexts } from "./texts.ts";
