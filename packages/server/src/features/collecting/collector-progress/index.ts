/** How far the collectors of all machines have got, for those who must not judge before every hit is stored. */

export { awaitCollectors, collectorsAtWork } from "./await-collectors.ts";
export { collectorId, type ProgressReports, reportProgress } from "./report-progress.ts";
