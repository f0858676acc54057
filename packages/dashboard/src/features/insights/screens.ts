/** The screens of insights: one file, as each costs the first screen a name. */
export { InsightsScreen } from "./insights-screen.tsx";
export { ReportPage } from "./report-page.tsx";
export { ReportsScreen } from "./reports-screen.tsx";
export { InsightSettingsScreen } from "./settings-screen.tsx";
