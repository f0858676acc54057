import type { Drill } from "./drill.ts";
import { clientDrills } from "./drills/clients.ts";
import { clockDrills } from "./drills/clock.ts";
import { crowdDrills } from "./drills/crowd.ts";
import { diskDrills } from "./drills/disk.ts";
import { killDrills } from "./drills/kill.ts";
import { serverDrills } from "./drills/servers.ts";
import { spoolDrills } from "./drills/spool.ts";
import { storeDrills } from "./drills/store.ts";

/** All drills, in the order in which they are played. */
export const drills: readonly Drill[] = [
	...killDrills,
	...storeDrills,
	...diskDrills,
	...clockDrills,
	...serverDrills,
	...spoolDrills,
	...crowdDrills,
	...clientDrills,
];
