export { PeriodControls } from "./period-controls.tsx";
