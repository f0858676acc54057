export { InsightsStrip } from "./insights-strip.tsx";
