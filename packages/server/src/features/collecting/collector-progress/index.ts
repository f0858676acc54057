/** How far the collectors of all machines have got, for those who must not judge before every hit is stored. */

export { awaitCollectors, collectorId, collectorsAtWork, reportProgress } from "./progress.ts";
