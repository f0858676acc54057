/** Mail reports: weekly and monthly summaries of a site for chosen people. */

import type { App } from "../../../platform/http/app.ts";
import type { MailReportDeps } from "./change-reports.ts";
import { registerMailReportRoutes } from "./routes.ts";
import { noteRefusedMails, sendReports } from "./send-reports.ts";

export { refusalsOf } from "./store.ts";
export { registerUnsubscribe, unsubscribeUrl } from "./unsubscribe-routes.ts";

/** Routes on mail reports, and the work behind them; the mornings of all time zones begin at a quarter of an hour. */
export function registerMailReports(app: App, deps: MailReportDeps): void {
	registerMailReportRoutes(app, deps);
	noteRefusedMails(deps);
	deps.jobs.schedule("mail-reports", "*/15 * * * *", () => sendReports(deps));
}
